//! Telling how scenarios went: lines for people, JSON lines, JUnit XML.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::run::Fault;
use crate::failure::Failure;
use crate::profile::about;
use crate::style::{Ink, Style};

/// How one scenario went.
#[derive(Debug)]
pub struct Result {
    /// The file.
    pub path: PathBuf,
    /// Its name; empty if it could not be read.
    pub name: String,
    /// How long it took.
    pub time: Duration,
    /// What was not as expected; none if it passed.
    pub fault: Option<Fault>,
}

impl Result {
    /// Whether it passed.
    pub fn passed(&self) -> bool {
        self.fault.is_none()
    }

    /// A line for people, and below it what was not as expected.
    pub fn text(&self, style: &Style) -> String {
        let seconds = format!("({:.2} s)", self.time.as_secs_f64());
        let line = format!("{}  {} {}", self.path.display(), self.name, style.paint(seconds, Ink::Faint));
        match &self.fault {
            None => format!("{} {line}", style.paint("pass", Ink::Good)),
            Some(fault) => {
                let details = fault.to_string().replace('\n', "\n       ");
                format!("{} {line}\n       {details}", style.paint("FAIL", Ink::Bad))
            }
        }
    }

    /// The same as JSON.
    pub fn json(&self) -> Value {
        json!({
            "file": self.path,
            "name": self.name,
            "passed": self.passed(),
            "seconds": self.time.as_secs_f64(),
            "step": self.fault.as_ref().and_then(|fault| fault.step.as_ref()).map(|(number, _)| number),
            "fault": self.fault.as_ref().map(|fault| &fault.what),
        })
    }

    fn junit(&self) -> TestCase {
        let mut status = TestCaseStatus::success();
        if let Some(fault) = &self.fault {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(fault.what.lines().next().unwrap_or_default()).set_description(fault.to_string());
        }
        let name = if self.name.is_empty() { self.path.display().to_string() } else { self.name.clone() };
        let mut case = TestCase::new(name, status);
        case.set_classname(self.path.display().to_string()).set_time(self.time);
        case
    }
}

/// Writes all results as JUnit XML.
pub fn write_junit(path: &Path, results: &[Result]) -> std::result::Result<(), Failure> {
    let mut suite = TestSuite::new("heliopause scenarios");
    suite.add_test_cases(results.iter().map(Result::junit));
    let mut report = Report::new("heliopause scenarios");
    report.set_time(results.iter().map(|result| result.time).sum()).add_test_suite(suite);
    let text = report.to_string().map_err(|error| Failure::failed(format!("{error}.")))?;
    std::fs::write(path, text).map_err(|error| about(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed() -> Result {
        let fault = Fault { step: Some((2, "seat 1: order \"end\"".into())), what: "it was refused: No.".into() };
        Result { path: "a.json".into(), name: "A".into(), time: Duration::ZERO, fault: Some(fault) }
    }

    #[test]
    fn a_failure_is_told_with_its_step() {
        let expected = "FAIL a.json  A (0.00 s)\n       step 2, seat 1: order \"end\"\n       it was refused: No.";
        assert_eq!(failed().text(&Style::PLAIN), expected);
    }

    #[test]
    fn junit_holds_failures() -> std::result::Result<(), Failure> {
        let file = tempfile::NamedTempFile::new()?;
        write_junit(file.path(), &[failed()])?;
        let text = std::fs::read_to_string(file.path())?;
        assert!(text.contains("failures=\"1\"") && text.contains("it was refused: No."), "{text}");
        Ok(())
    }
}
