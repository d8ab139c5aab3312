//! What a check may cost: a bound on steps and on bytes, drawn on before the work is done (Q-42).

use std::fmt;
use std::sync::Arc;

use toolwire::{Code, Error};

/// How much the checks of one answer of a tool may cost together (Q-42).
///
/// ```
/// use toolwire_schema::Budget;
///
/// assert_eq!(Budget::default(), Budget { steps: 5_000_000, bytes: 33_554_432 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Maximum number of steps, reading and compiling included; 5,000,000 by default, which take a fraction of
    /// a second.
    pub steps: u64,
    /// Maximum number of bytes held at one time; 33,554,432 by default.
    pub bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            steps: 5_000_000,
            bytes: 32 * 1024 * 1024,
        }
    }
}

/// Tells whether a check is to be given up.
type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is left of a budget. Checks that draw on one allowance share it.
///
/// Once its steps are used up, or it was interrupted, each further check ends at once.
///
/// # Examples
///
/// ```
/// use toolwire::{Code, Json};
/// use toolwire_schema::{Allowance, Budget, CheckError, check_value_within};
///
/// let mut allowance = Allowance::new(Budget { steps: 20, ..Budget::default() });
/// let schema = Json::new(r#"{"items":{"type":"integer"}}"#)?;
/// let checked = check_value_within(&schema, &Json::new("[1,2,3,4,5,6,7,8]")?, &mut allowance);
/// let Err(CheckError::OverBudget(error)) = checked else { panic!() };
/// assert!(error.code() == Code::OverBudget && allowance.is_used_up());
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Clone)]
pub struct Allowance {
    budget: Budget,
    steps: u64,
    bytes: u64,
    interrupt: Option<Interrupt>,
}

impl fmt::Debug for Allowance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Allowance")
            .field("steps", &self.steps)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl Default for Allowance {
    fn default() -> Self {
        Allowance::new(Budget::default())
    }
}

impl Allowance {
    /// All of a budget.
    ///
    /// ```
    /// use toolwire_schema::{Allowance, Budget};
    ///
    /// assert_eq!(Allowance::new(Budget::default()).steps(), 5_000_000);
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Allowance {
            budget,
            steps: budget.steps,
            bytes: budget.bytes,
            interrupt: None,
        }
    }

    /// The same, given up as soon as the function says so. It is asked every few thousand steps.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use toolwire::Json;
    /// use toolwire_schema::{Allowance, Budget, check_value_within};
    ///
    /// let mut allowance = Allowance::new(Budget::default()).with_interrupt(Arc::new(|| true));
    /// assert!(check_value_within(&Json::new("{}")?, &Json::new("1")?, &mut allowance).is_err());
    /// # Ok::<(), toolwire::Error>(())
    /// ```
    #[must_use]
    pub fn with_interrupt(self, interrupt: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Allowance {
            interrupt: Some(interrupt),
            ..self
        }
    }

    /// How many steps are left.
    ///
    /// ```
    /// assert!(toolwire_schema::Allowance::default().steps() > 0);
    /// ```
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Whether there are no steps left.
    ///
    /// ```
    /// assert!(!toolwire_schema::Allowance::default().is_used_up());
    /// ```
    #[must_use]
    pub fn is_used_up(&self) -> bool {
        self.steps == 0
    }

    /// Takes steps for work that is done elsewhere and belongs to the same answer, before it is done;
    /// false if there are not as many, or if the work is to be given up. Then none are left.
    ///
    /// ```
    /// use toolwire_schema::{Allowance, Budget};
    ///
    /// let mut allowance = Allowance::new(Budget { steps: 10, ..Budget::default() });
    /// assert!(allowance.take(10) && !allowance.take(1));
    /// ```
    pub fn take(&mut self, steps: u64) -> bool {
        self.step(steps).is_ok()
    }

    /// Looks whether the check is to be given up.
    pub(crate) fn begin(&mut self) -> Result<(), Stop> {
        if self.interrupt.as_ref().is_some_and(|interrupt| interrupt()) {
            self.steps = 0;
        }
        match self.steps {
            0 => Err(Stop::OverBudget),
            _ => Ok(()),
        }
    }

    /// Takes steps before they are done.
    pub(crate) fn step(&mut self, steps: u64) -> Result<(), Stop> {
        let Some(left) = self.steps.checked_sub(steps) else {
            self.steps = 0;
            return Err(Stop::OverBudget);
        };
        let looks = left >> LOOK != self.steps >> LOOK;
        self.steps = left;
        if looks {
            return self.begin();
        }
        Ok(())
    }

    /// Takes the steps that it takes to go through so many bytes.
    pub(crate) fn read(&mut self, bytes: usize) -> Result<(), Stop> {
        self.step(bytes as u64 / BYTES_A_STEP)
    }

    /// Takes bytes before they are held. Unlike steps they come back.
    pub(crate) fn hold(&mut self, bytes: usize) -> Result<(), Stop> {
        match self.bytes.checked_sub(bytes as u64) {
            Some(left) => {
                self.bytes = left;
                Ok(())
            }
            None => Err(Stop::OverBudget),
        }
    }

    pub(crate) fn release(&mut self, bytes: usize) {
        self.bytes = (self.bytes + bytes as u64).min(self.budget.bytes);
    }

    /// Bytes are held only as long as a check goes on.
    pub(crate) fn end(&mut self) {
        self.bytes = self.budget.bytes;
    }

    /// The error where something can't be done within the budget.
    pub(crate) fn error(&self) -> Error {
        let Budget { steps, bytes } = self.budget;
        let message = format!(
            "checking it takes more than the {steps} steps or {bytes} bytes allowed for one answer; use a \
             simpler schema"
        );
        Error::new(Code::OverBudget, "", None, message)
    }
}

/// Every so many steps, as a power of two, the interrupt is asked.
const LOOK: u32 = 12;
/// Bytes that are read in one step.
const BYTES_A_STEP: u64 = 8;

/// Why a check stops without a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    OverBudget,
    /// Too many schemas are inside of each other, perhaps for ever.
    TooDeep,
    /// The same, for the stack of this thread only.
    NeedsRoom,
}
