use core::fmt::Display;

pub(super) mod inner;

use inner::Private;

#[derive(PartialEq, Hash)]
pub enum Shape {
    Round(f64),
    Square { side: super::open::Side },
    #[deprecated]
    None = 7,
}

pub trait Draw: Display {
    type Ink: Clone;
    fn draw(&self, ink: &Self::Ink) -> crate::open::Side;
    fn twice(&self) {}
}

impl Draw for Shape {
    type Ink = String;
    fn draw(&self, _: &String) -> crate::open::Side {
        todo!()
    }
}

impl Iterator for Shape {
    type Item = Private;
    fn next(&mut self) -> Option<Private> {
        None
    }
}
