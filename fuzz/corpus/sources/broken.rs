pub fn a() {
    let = ;
}
struct S { x: 
fn b() { } impl X for { fn c( }
