//! Parquet files: one row group after another, column by column.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{
    Compression, ConvertedType, LogicalType, Repetition, Type as Physical, ZstdLevel,
};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::record::Field;
use parquet::schema::types::{Type, TypePtr};

use super::cell::{Cell, Row};
use super::error::TablesError;
use super::schema::{Column, Kind, Table};

/// Rows of a row group: what a reader skips at least, if the bounds of a column allow it.
const GROUP: usize = 1 << 18;
/// Bytes of a dictionary before a column is written plainly.
const DICTIONARY: usize = 4 << 20;

/// Writes rows, sorted, to a new file, and returns its size.
///
/// # Errors
/// Something is at the path already, or it cannot be written.
pub(super) fn write(table: &Table, rows: &[Row], path: &Path) -> Result<u64, TablesError> {
    let file = File::create_new(path).map_err(TablesError::io("create", path))?;
    let handle = file.try_clone().map_err(TablesError::io("create", path))?;
    let failed = TablesError::parquet;
    let written = write_rows(table, rows, file);
    written.map_err(failed("write", path))?;
    handle.sync_all().map_err(TablesError::io("write", path))?;
    Ok(fs::metadata(path).map_err(TablesError::io("read", path))?.len())
}

fn write_rows(table: &Table, rows: &[Row], file: File) -> Result<(), ParquetError> {
    let level = ZstdLevel::try_new(6)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_created_by(concat!("asof version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_dictionary_page_size_limit(DICTIONARY)
        .build();
    let mut writer = SerializedFileWriter::new(file, message(table)?, Arc::new(properties))?;
    for group in rows.chunks(GROUP) {
        let mut out = writer.next_row_group()?;
        for (at, column) in table.columns.iter().enumerate() {
            let Some(mut into) = out.next_column()? else {
                return Err(misfit(table, column));
            };
            write_column(table, column, group.iter().map(|row| row.get(at)), &mut into)?;
            into.close()?;
        }
        out.close()?;
    }
    writer.close()?;
    Ok(())
}

fn misfit(table: &Table, column: &Column) -> ParquetError {
    ParquetError::General(format!(
        "a row of `{}` does not fit column `{}`",
        table.name, column.name
    ))
}

fn write_column<'a>(
    table: &Table,
    column: &Column,
    cells: impl ExactSizeIterator<Item = Option<&'a Cell>>,
    into: &mut SerializedColumnWriter<'_>,
) -> Result<(), ParquetError> {
    macro_rules! put {
        ($physical:ty, $cell:pat => $value:expr) => {{
            let mut values = Vec::with_capacity(cells.len());
            let mut levels = Vec::with_capacity(cells.len());
            for cell in cells {
                match cell {
                    Some($cell) => {
                        values.push($value);
                        levels.push(1);
                    }
                    Some(Cell::Null) if column.optional => levels.push(0),
                    _ => return Err(misfit(table, column)),
                }
            }
            let levels = column.optional.then_some(levels.as_slice());
            into.typed::<$physical>().write_batch(&values, levels, None)?;
        }};
    }
    match column.kind {
        Kind::Long => put!(Int64Type, Cell::Long(long) => *long),
        Kind::Double => put!(DoubleType, Cell::Double(double) => *double),
        Kind::Bool => put!(BoolType, Cell::Bool(b) => *b),
        Kind::Text => put!(ByteArrayType, Cell::Text(text) => ByteArray::from(&**text)),
    }
    Ok(())
}

/// The schema of a table's files.
fn message(table: &Table) -> Result<TypePtr, ParquetError> {
    let mut fields = Vec::new();
    for column in table.columns {
        let physical = match column.kind {
            Kind::Long => Physical::INT64,
            Kind::Double => Physical::DOUBLE,
            Kind::Bool => Physical::BOOLEAN,
            Kind::Text => Physical::BYTE_ARRAY,
        };
        let mut field = Type::primitive_type_builder(column.name, physical).with_repetition(
            if column.optional { Repetition::OPTIONAL } else { Repetition::REQUIRED },
        );
        if column.kind == Kind::Text {
            field = field
                .with_logical_type(Some(LogicalType::String))
                .with_converted_type(ConvertedType::UTF8);
        }
        fields.push(Arc::new(field.build()?));
    }
    Ok(Arc::new(Type::group_type_builder(table.name).with_fields(fields).build()?))
}

/// Reads the rows of a file that [`write`] has written.
///
/// # Errors
/// It cannot be read, or has other columns than the table.
pub(super) fn read(table: &Table, path: &Path) -> Result<Vec<Row>, TablesError> {
    let failed = || TablesError::parquet("read", path);
    let file = File::open(path).map_err(TablesError::io("open", path))?;
    let reader = SerializedFileReader::new(file).map_err(failed())?;
    let mut rows = Vec::new();
    for row in reader.get_row_iter(None).map_err(failed())? {
        let row = row.map_err(failed())?;
        let cells: Row = row
            .get_column_iter()
            .map(|(_, field)| match field {
                Field::Long(long) => Cell::Long(*long),
                Field::Double(double) => Cell::Double(*double),
                Field::Bool(b) => Cell::Bool(*b),
                Field::Str(text) => text.as_str().into(),
                _ => Cell::Null,
            })
            .collect();
        let names = row.get_column_iter().map(|(name, _)| name.as_str());
        if !names.eq(table.columns.iter().map(|column| column.name)) {
            let reason = format!("its columns are not those of `{}`", table.name);
            return Err(TablesError::Foreign { path: path.to_owned(), reason });
        }
        rows.push(cells);
    }
    Ok(rows)
}

/// BLAKE3 of rows, as text.
pub(super) fn digest<'a>(rows: impl IntoIterator<Item = &'a Row>) -> String {
    let mut hasher = blake3::Hasher::new();
    for cell in rows.into_iter().flatten() {
        match cell {
            Cell::Null => hasher.update(&[0]),
            Cell::Bool(b) => hasher.update(&[1, u8::from(*b)]),
            Cell::Long(long) => hasher.update(&[2]).update(&long.to_le_bytes()),
            Cell::Double(double) => hasher.update(&[3]).update(&double.to_le_bytes()),
            Cell::Text(text) => {
                let len = text.len() as u64;
                hasher.update(&[4]).update(&len.to_le_bytes()).update(text.as_bytes())
            }
        };
    }
    hasher.finalize().to_hex().to_string()
}
