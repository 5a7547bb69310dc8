/// ünï
pub fn é() { let _ = "日本"; /* /* */ */ }
fn b(){}fn c(){}