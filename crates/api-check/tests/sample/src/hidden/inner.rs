pub struct Private;

pub async fn deep<'a, T: Into<Private>>(value: &'a [T]) -> impl Iterator<Item = &'a T> {
    value.iter()
}
