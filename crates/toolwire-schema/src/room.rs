//! Enough stack for schemas that lead far into themselves.

/// The stack of such a check. The system gives only as much of it as is used.
const STACK: usize = 16 * 1024 * 1024;

/// Does a check on a stack of its own: it calls itself for each schema inside of a schema, at most 500
/// times, and a thread of a host may have little room left. Few schemas get there. Nothing comes of it
/// where there is no thread to be had.
pub(crate) fn with_room<T: Send>(check: impl FnOnce() -> T + Send) -> Option<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("toolwire-check".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, check);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => Some(result),
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => None,
        }
    })
}
