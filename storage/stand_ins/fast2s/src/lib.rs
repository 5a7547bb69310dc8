//! What the engine takes from the crate `fast2s`, without its table: the function `t2s` of
//! CozoScript turns traditional Chinese characters into simplified ones, and does nothing here.

/// The text as it is.
pub fn convert(text: &str) -> String {
    text.to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_text_stays_as_it_is() {
        assert_eq!(super::convert("數據"), "數據");
    }
}
