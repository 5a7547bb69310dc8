//! Round trips, hostile bytes, and the engine's own form as the measure.

use cozo::{DataValue, Db, JsonData, MemStorage, NamedRows, Num, Storage, StoreTx, UuidWrapper};
use proptest::prelude::*;
use serde_json::Value as Json;

use super::*;

fn samples() -> Vec<(DataValue, Json)> {
    let json = |json: Json| (DataValue::Json(JsonData(json.clone())), json);
    let int = |n: i64| (DataValue::from(n), Json::from(n));
    let text = |text: &str| (DataValue::from(text), Json::from(text));
    let mut all = vec![
        (DataValue::Null, Json::Null),
        (DataValue::from(true), true.into()),
        (DataValue::from(false), false.into()),
        (DataValue::from(0.1), 0.1.into()),
        (DataValue::from(-1e300), (-1e300).into()),
        json(serde_json::json!({"b": [1, {"a": null}], "a": "x".repeat(40), "c": u64::MAX})),
        json(serde_json::json!((0..40).collect::<Vec<_>>())),
        json(serde_json::json!([])),
    ];
    for n in [0, 1, 127, 128, 129, 383, 384, 8_319, 8_320, 24_703, 24_704, 1 << 53, i64::MAX] {
        all.extend([int(n), int(-n), int(!n)]);
    }
    for len in [0, 1, 7, 8, 9, 16, 31, 32, 200] {
        all.push(text(&"é".repeat(len)));
        all.push(text(&"\0".repeat(len)));
    }
    let word = "method_call";
    let hash = "182ECZYssLhzmAJqOicRSw";
    let (hash, id) = (&format!("{hash}w"), "aef6facc-6f6d-5cf6-a867-5757d12d41a0");
    all.extend([word, hash, id, "1_____________________x"].map(text));
    all.push(json(serde_json::json!({word: [word, hash], hash: id, id: {"x": word}})));
    all
}

fn push<W: ValueWriter>(writer: &mut W, value: &DataValue) {
    match value {
        DataValue::Null => writer.null(),
        DataValue::Bool(value) => writer.bool(*value),
        DataValue::Num(Num::Int(value)) => writer.int(*value),
        DataValue::Num(Num::Float(value)) => writer.float(*value),
        DataValue::Str(value) => writer.text(value),
        DataValue::Bytes(value) => writer.bytes(value),
        DataValue::Uuid(value) => writer.uuid(*value.0.as_bytes()),
        DataValue::Json(value) => writer.json(&value.0),
        DataValue::List(items) => writer.list(items, push),
        other => panic!("{other:?}"),
    }
}

fn all() -> Vec<DataValue> {
    let mut all: Vec<DataValue> = samples().into_iter().map(|(value, _)| value).collect();
    let id = uuid::Uuid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
    all.push(DataValue::Uuid(UuidWrapper(id)));
    all.extend([0, 8, 100].map(|len| DataValue::Bytes(vec![7; len])));
    all.push(DataValue::List(all.clone()));
    all.push(DataValue::List(Vec::new()));
    all
}

#[test]
fn columns_come_back_in_our_form_and_in_the_engines() {
    for row in [all(), Vec::new()] {
        let mut writer = RowWriter::default().end_key();
        row.iter().for_each(|value| push(&mut writer, value));
        let stored = writer.end();
        let value = crate::large::unpack(stored.value().to_vec()).unwrap();
        let mut found = Vec::new();
        columns(&value, &mut found).unwrap();
        assert_eq!(found, row);
        let engine = for_engine(stored.key(), value).unwrap();
        assert_eq!(cozo::decode_tuple_from_kv(&[0; 8], &engine, None), row);
    }
}

#[test]
fn values_in_json_come_back() {
    for (_, value) in samples() {
        let mut writer = RowWriter::default().end_key();
        writer.json(&value);
        let stored = writer.end();
        let stored = crate::large::unpack(stored.value().to_vec()).unwrap();
        let mut found = Vec::new();
        columns(&stored, &mut found).unwrap();
        assert_eq!(found, [DataValue::Json(JsonData(value))]);
    }
}

/// The engine writes each value as a key, and we the same; the bytes are equal.
#[test]
fn keys_are_those_of_the_engine() {
    let storage = MemStorage::default();
    let db = Db::new(storage.clone()).unwrap();
    db.initialize().unwrap();
    let create = ":create one {a: Any?, at: Validity}";
    db.run_script(create, Default::default(), cozo::ScriptMutability::Mutable).unwrap();
    for value in all() {
        for (time, asserted) in [(0, true), (1_700_000_000_000_000, false)] {
            let at = DataValue::Validity((time, asserted).into());
            let headers = vec!["a".to_owned(), "at".to_owned()];
            let rows = NamedRows::new(headers, vec![vec![value.clone(), at]]);
            db.import_relations([("one".to_owned(), rows)].into()).unwrap();
            let tx = storage.transact(false).unwrap();
            let rows: Vec<_> = tx.range_scan(&1u64.to_be_bytes(), &[0xff]).collect();
            let [Ok((key, _))] = rows.as_slice() else { panic!("{rows:?}") };
            let mut writer = RowWriter::default();
            push(&mut writer, &value);
            writer.time(time, asserted);
            let mut row = writer.removal();
            assert_eq!(&row.key_columns().unwrap()[..1], std::slice::from_ref(&value));
            row.set_relation(u64::from_be_bytes(*key.first_chunk().unwrap()));
            assert_eq!(row.key(), key, "{value:?}");
            drop(tx);
            let mut tx = storage.transact(true).unwrap();
            tx.del(key).unwrap();
            tx.commit().unwrap();
        }
    }
}

#[test]
fn damage_is_an_error() {
    let mut writer = RowWriter::default().end_key();
    all().iter().for_each(|value| push(&mut writer, value));
    let whole = crate::large::unpack(writer.end().value().to_vec()).unwrap();
    let count = all().len();
    for end in 1..whole.len() {
        // Ends between two columns cannot be told from the end of a row.
        let mut found = Vec::new();
        assert!(columns(&whole[..end], &mut found).is_err() || found.len() < count);
    }
    let deep = [&[MARK][..], &[LIST | 1; 100_000]].concat();
    assert!(columns(&deep, &mut Vec::new()).is_err());
    let deep = [&[MARK, JSON][..], &[LIST | 1; 100_000]].concat();
    assert!(columns(&deep, &mut Vec::new()).is_err());
    for wrong in [
        &[0xf0][..],
        &[HASH_TEXT, 0],
        &[ID_TEXT],
        &[WORD, 128],
        &[MIDDLE],
        &[OBJECT, 0],
        &[JSON, UUID],
        &[LONG_LIST, 0xff, 0xff, 0xff, 0x7f],
    ] {
        assert!(columns(&[&[MARK][..], wrong].concat(), &mut Vec::new()).is_err(), "{wrong:?}");
    }
    let longest = [&[MARK, INT][..], &[0xff; 9], &[1]].concat();
    assert!(columns(&longest, &mut Vec::new()).is_err());
}

fn in_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        finite().prop_map(Json::from),
        ".{0,40}".prop_map(Json::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::from),
            prop::collection::btree_map(".{0,4}", inner, 0..4)
                .prop_map(|pairs| Json::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Of all sizes, and not only the large ones that most of 64 bits are.
fn whole() -> impl Strategy<Value = i64> {
    (any::<i64>(), 0..64).prop_map(|(value, shift)| value >> shift)
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |value| value.is_finite())
}

/// Any value but JSON.
fn plain() -> impl Strategy<Value = DataValue> {
    prop_oneof![
        Just(DataValue::Null),
        any::<bool>().prop_map(DataValue::from),
        whole().prop_map(DataValue::from),
        prop_oneof![finite(), Just(f64::INFINITY), Just(f64::NEG_INFINITY)]
            .prop_map(DataValue::from),
        ".{0,40}".prop_map(|text| DataValue::from(text.as_str())),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(DataValue::Bytes),
        any::<[u8; 16]>()
            .prop_map(|bytes| DataValue::Uuid(UuidWrapper(uuid::Uuid::from_bytes(bytes)))),
    ]
}

fn lists_of(leaf: impl Strategy<Value = DataValue> + 'static) -> impl Strategy<Value = DataValue> {
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop::collection::vec(inner, 0..5).prop_map(DataValue::List)
    })
}

fn value() -> impl Strategy<Value = DataValue> {
    lists_of(prop_oneof![
        8 => plain(),
        1 => in_json().prop_map(|json| DataValue::Json(JsonData(json))),
    ])
}

/// The engine reads JSON in keys from text, and rounds its fractions: no key of ours has any.
fn in_key() -> impl Strategy<Value = DataValue> {
    lists_of(plain())
}

fn encoded(row: &[DataValue]) -> StoredRow {
    let mut writer = RowWriter::default().end_key();
    row.iter().for_each(|value| push(&mut writer, value));
    writer.end()
}

fn key_of(values: &[DataValue]) -> StoredRow {
    let mut writer = RowWriter::default();
    values.iter().for_each(|value| push(&mut writer, value));
    writer.removal()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_row_comes_back(row in prop::collection::vec(value(), 0..6)) {
        let stored = encoded(&row);
        let value = crate::large::unpack(stored.value().to_vec()).unwrap();
        let mut found = Vec::new();
        columns(&value, &mut found).unwrap();
        prop_assert_eq!(&found, &row);
        let engine = for_engine(stored.key(), value).unwrap();
        prop_assert_eq!(cozo::decode_tuple_from_kv(&[0; 8], &engine, None), row);
    }

    #[test]
    fn every_key_comes_back(key in prop::collection::vec(in_key(), 0..4)) {
        prop_assert_eq!(key_of(&key).key_columns().unwrap(), key);
    }

    #[test]
    fn keys_have_the_order_of_their_numbers_and_texts(
        (a, b) in (whole(), whole()), (c, d) in (finite(), finite()), (e, f) in (".{0,20}", ".{0,20}"),
    ) {
        let order = |a: DataValue, b: DataValue| key_of(&[a]).cmp(&key_of(&[b]));
        prop_assert_eq!(order(a.into(), b.into()), a.cmp(&b));
        prop_assert_eq!(order(c.into(), d.into()), c.total_cmp(&d));
        prop_assert_eq!(order(e.as_str().into(), f.as_str().into()), e.cmp(&f));
        let time = |micros| {
            let mut key = RowWriter::default();
            key.time(micros, true);
            key.removal()
        };
        prop_assert_eq!(time(a).cmp(&time(b)), b.cmp(&a));
    }

    /// Values or an error: nothing else comes of bytes that nobody wrote.
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let value = [&[MARK][..], &bytes].concat();
        let mut found = Vec::new();
        let outcome = columns(&value, &mut found);
        prop_assert!(found.len() <= bytes.len());
        if let Err(error) = outcome {
            prop_assert!(error.to_string().starts_with(crate::DAMAGED), "{}", error);
        }
        let _ = for_engine(&[0; NUMBER], value);
    }

    #[test]
    fn a_changed_byte_is_read_or_refused(
        row in prop::collection::vec(value(), 1..6), at in any::<prop::sample::Index>(), to: u8,
    ) {
        let mut value = crate::large::unpack(encoded(&row).value().to_vec()).unwrap();
        let at = at.index(value.len());
        value[at] = to;
        if is_compact(&value) {
            let _ = columns(&value, &mut Vec::new());
        }
    }
}

/// Each level of a row may claim as many values as the row has bytes: that is no reason to reserve
/// room for them. 250 lists of 4 million would be 30 GB.
#[test]
fn a_length_reserves_nothing() {
    let claim = [LONG_LIST, 0x80, 0x89, 0xf4, 1];
    for (begin, end) in [(&[MARK][..], 0), (&[MARK, JSON][..], 0)] {
        let value = [begin, &claim.repeat(250), &vec![end; 4 << 20]].concat();
        let begun = std::time::Instant::now();
        assert!(columns(&value, &mut Vec::new()).is_err());
        assert!(begun.elapsed() < std::time::Duration::from_secs(20));
    }
    let object = [&[MARK, JSON, OBJECT, 0xff, 0xff, 0x7f][..], &[0; 100]].concat();
    assert!(columns(&object, &mut Vec::new()).is_err());
}
