//! Sets the linker flags of a Node addon.

fn main() {
    napi_build::setup();
}
