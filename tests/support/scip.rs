//! Indexes in the form of SCIP, taken apart and put together without the crate that asof reads them
//! with.
#![allow(dead_code, reason = "each test uses its own part")]

/// An index.
#[derive(Debug, Clone)]
pub struct Index {
    pub tool: String,
    pub documents: Vec<Document>,
}

/// A file of an index.
#[derive(Debug, Clone)]
pub struct Document {
    pub path: String,
    /// 1: bytes; 2: UTF-16; 3: characters; 0: not said.
    pub encoding: u64,
    pub names: Vec<Name>,
}

/// An occurrence.
#[derive(Debug, Clone)]
pub struct Name {
    pub range: Vec<u64>,
    pub symbol: String,
    pub roles: u64,
}

impl Name {
    pub fn defines(&self) -> bool {
        self.roles & 1 != 0
    }
}

impl Index {
    pub fn read(bytes: &[u8]) -> Self {
        let mut index = Self { tool: String::new(), documents: Vec::new() };
        for (field, value) in fields(bytes) {
            match field {
                1 => {
                    let tool = bytes_of(&value, 2).into_iter().next().unwrap();
                    index.tool = string(&bytes_of(&tool, 1)[0]);
                }
                2 => index.documents.push(Document {
                    path: string(&bytes_of(&value, 1)[0]),
                    encoding: number_of(&value, 6),
                    names: bytes_of(&value, 2).iter().map(|name| Name::read(name)).collect(),
                }),
                _ => {}
            }
        }
        index
    }

    pub fn bytes(&self) -> Vec<u8> {
        let metadata = [field(2, &field(1, self.tool.as_bytes())), field(3, b"file:///x")].concat();
        let mut bytes = field(1, &metadata);
        bytes.extend(self.documents.iter().flat_map(|document| field(2, &document.bytes())));
        bytes
    }

    /// Changes the names of each file.
    pub fn each(&mut self, change: impl Fn(&mut Document, &mut Vec<Name>)) {
        for document in &mut self.documents {
            let mut names = std::mem::take(&mut document.names);
            change(document, &mut names);
            document.names = names;
        }
    }
}

impl Document {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = field(1, self.path.as_bytes());
        bytes.extend(self.names.iter().flat_map(|name| field(2, &name.bytes())));
        bytes.extend(number(6, self.encoding));
        bytes
    }
}

impl Name {
    fn read(bytes: &[u8]) -> Self {
        let mut packed = bytes_of(bytes, 1).concat();
        let mut range = Vec::new();
        while !packed.is_empty() {
            let (value, rest) = varint(&packed);
            range.push(value);
            packed = rest.to_vec();
        }
        let symbol = bytes_of(bytes, 2).iter().map(|symbol| string(symbol)).collect();
        Self { range, symbol, roles: number_of(bytes, 3) }
    }

    fn bytes(&self) -> Vec<u8> {
        let range: Vec<u8> = self.range.iter().flat_map(|number| to_varint(*number)).collect();
        [field(1, &range), field(2, self.symbol.as_bytes()), number(3, self.roles)].concat()
    }
}

/// Number and value of each field; a number as its varint.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let (key, rest) = varint(bytes);
        let (len, after) = varint(rest);
        let (value, rest) = match key & 7 {
            0 => rest.split_at(rest.len() - after.len()),
            2 => after.split_at(len as usize),
            other => panic!("wire type {other}"),
        };
        found.push((key >> 3, value.to_vec()));
        bytes = rest;
    }
    found
}

fn bytes_of(message: &[u8], wanted: u64) -> Vec<Vec<u8>> {
    let all = fields(message).into_iter();
    all.filter(|(field, _)| *field == wanted).map(|(_, value)| value).collect()
}

fn number_of(message: &[u8], wanted: u64) -> u64 {
    bytes_of(message, wanted).first().map_or(0, |bytes| varint(bytes).0)
}

fn varint(bytes: &[u8]) -> (u64, &[u8]) {
    let (mut value, mut shift) = (0, 0);
    for (at, byte) in bytes.iter().enumerate() {
        value |= u64::from(byte & 127) << shift;
        shift += 7;
        if *byte < 128 {
            return (value, &bytes[at + 1..]);
        }
    }
    panic!("a number without an end");
}

fn to_varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn field(number: u64, value: &[u8]) -> Vec<u8> {
    [to_varint(number << 3 | 2), to_varint(value.len() as u64), value.to_vec()].concat()
}

fn number(field: u64, value: u64) -> Vec<u8> {
    [to_varint(field << 3), to_varint(value)].concat()
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
