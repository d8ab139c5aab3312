//! Enough stack for schemas that lead far into themselves.

use toolwire::Json;

/// The stack of a check. The system gives only as much of it as is used.
const STACK: usize = 64 * 1024 * 1024;

/// Does a check on a stack of its own, unless it is a simple one: a validator calls itself for each
/// schema inside of a schema, and a thread of a host may have little room left.
pub(crate) fn with_room<T: Send>(schema: &Json, check: impl Fn() -> T + Sync) -> T {
    if is_simple(schema.as_str()) {
        return check();
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("toolwire-check".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, &check);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // There is no thread to be had, so this one has to do.
            Err(_) => check(),
        }
    })
}

/// Whether a schema can't lead further than a few steps: it is small and refers to nothing.
fn is_simple(schema: &str) -> bool {
    let opened = schema.bytes().filter(|byte| matches!(byte, b'{' | b'['));
    !schema.contains('#') && !schema.contains("\\u") && opened.take(65).count() <= 64
}
