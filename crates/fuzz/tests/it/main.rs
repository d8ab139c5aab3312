//! The integration tests of this crate as one program, which is linked once and runs them side by side.

mod contracts;
mod laws;

/// The other readers recurse, and documents may be deep.
fn on_a_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20);
        let thread = thread.spawn_scoped(scope, work).expect("a thread");
        thread.join().expect("no panic")
    })
}
