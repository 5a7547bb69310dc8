//! Frees the unused capacity of lists.

use super::uses::FileUses;

/// Gives back what a list has room for but not in it. (A reallocation would keep up to half.)
pub fn fit<T>(list: &mut Vec<T>) {
    if list.capacity() - list.len() > list.len() / 8 {
        let mut fitting = Vec::with_capacity(list.len());
        fitting.append(list);
        *list = fitting;
    }
}

impl FileUses {
    /// Gives back memory that building it took: in a first run those of all files are kept at once.
    pub fn fit(&mut self) {
        fit(&mut self.names);
        fit(&mut self.types);
        fit(&mut self.paths);
        fit(&mut self.segs);
        fit(&mut self.args);
        fit(&mut self.exprs);
        fit(&mut self.pats);
        fit(&mut self.stmts);
        fit(&mut self.arms);
        fit(&mut self.fields);
        fit(&mut self.params);
        fit(&mut self.generics);
        fit(&mut self.preds);
        fit(&mut self.attrs);
        fit(&mut self.mentions);
        fit(&mut self.templates);
        fit(&mut self.calls);
        fit(&mut self.ids);
        fit(&mut self.named);
        fit(&mut self.items);
    }
}
