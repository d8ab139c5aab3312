//! The questions of a call, without running anything.

use napi_derive::napi;
use toolwire::call::Call;
use toolwire_ffi::exchange::{handle_answer, step_json};
use toolwire_ffi::readers::exchange_options;
use toolwire_host::Step;

use crate::fault::{Result, told};
use crate::json::Object;
use crate::question::context;
use crate::result::CallResult;
use crate::source::{How, limits, read};

/// An exchange, as JavaScript holds it; nothing after it has ended.
#[napi]
pub struct Exchange {
    inner: Option<toolwire_host::Exchange>,
}

#[napi]
impl Exchange {
    /// An exchange that begins with this call document.
    #[napi(constructor, catch_unwind)]
    pub fn new(call: &[u8], how: Option<String>, options: String) -> Result<Self> {
        let call = Call::from_json(call, &limits(how.as_deref())?).map_err(told)?;
        let options = exchange_options(&options).map_err(told)?;
        let inner = Some(toolwire_host::Exchange::new(call, options));
        Ok(Exchange { inner })
    }

    /// What is to be done, as a JSON object, and the context of a question as JSON texts.
    #[napi(catch_unwind)]
    pub fn step(&self) -> Result<String> {
        let exchange = self.inner.as_ref().ok_or_else(over)?;
        let told = Object::new().raw("step", &step_json(exchange));
        Ok(match exchange.step() {
            Step::Ask(pending) => told.raw("context", &context(&pending)).end(),
            Step::Call(_) | Step::Done => told.end(),
        })
    }

    /// Takes what the tool said.
    #[napi(catch_unwind)]
    pub fn handle_result(&mut self, data: &[u8], how: How<'_>) -> Result<()> {
        let parsed = read(data, &how)?.into_owned();
        self.inner.as_mut().ok_or_else(over)?.handle_result(parsed);
        Ok(())
    }

    /// Takes an answer, whose value is JSON text; where it does not fit, in a JSON array.
    #[napi(catch_unwind)]
    pub fn handle_answer(
        &mut self,
        id: String,
        state: String,
        source: String,
        value: Option<String>,
    ) -> Result<String> {
        let exchange = self.inner.as_mut().ok_or_else(over)?;
        handle_answer(exchange, &id, &state, &source, value.as_deref()).map_err(told)
    }

    /// What the call comes to; the exchange is over then.
    #[napi(catch_unwind)]
    pub fn finish(&mut self) -> Result<CallResult> {
        let exchange = self.inner.take().ok_or_else(over)?;
        Ok(CallResult::of_exchange(exchange.finish()))
    }
}

fn over() -> napi::Error {
    napi::Error::from_reason("the exchange is over")
}
