//! Formats the results of scenarios as text, JSON lines and JUnit XML.

use std::path::{Path, PathBuf};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use crate::run::Fault;
use heliopause_client::failure::Failure;
use heliopause_client::failure::about;
use heliopause_render::style::{Ink, Style};

/// The result of running a scenario.
#[derive(Debug, Default)]
pub struct Result {
    pub path: PathBuf,
    pub name: String,
    pub time: Duration,
    pub faults: Vec<Fault>,
    pub notes: Vec<String>,
}

impl Result {
    pub fn passed(&self) -> bool {
        self.faults.is_empty()
    }

    pub fn text(&self, style: &Style) -> String {
        let seconds = format!("({:.2} s)", self.time.as_secs_f64());
        let name = if self.name.is_empty() { String::new() } else { format!("  {}", self.name) };
        let line = format!("{}{name} {}", self.path.display(), style.paint(seconds, Ink::Faint));
        let notes = self.notes.iter().map(|note| format!("note: {note}"));
        let details = self.faults.iter().map(Fault::to_string).chain(notes);
        let word = if self.passed() {
            style.paint("pass", Ink::Good)
        } else {
            style.paint("FAIL", Ink::Bad)
        };
        let lines = std::iter::once(format!("{word} {line}")).chain(details);
        lines.collect::<Vec<_>>().join("\n").replace('\n', "\n       ")
    }

    pub fn json(&self) -> Value {
        let faults = self.faults.iter().map(|fault| {
            json!({
                "step": fault.step.as_ref().map(|(number, _)| number),
                "file": fault.at.as_ref().map(|at| at.file.display().to_string()),
                "line": fault.at.as_ref().map(|at| at.line),
                "fault": fault.what,
            })
        });
        json!({
            "file": self.path,
            "name": self.name,
            "passed": self.passed(),
            "seconds": self.time.as_secs_f64(),
            "faults": faults.collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }

    fn junit(&self) -> TestCase {
        let mut status = TestCaseStatus::success();
        if let Some(first) = self.faults.first() {
            status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let all: Vec<String> = self.faults.iter().map(Fault::to_string).collect();
            status
                .set_message(first.what.lines().next().unwrap_or_default())
                .set_description(all.join("\n"));
        }
        let name =
            if self.name.is_empty() { self.path.display().to_string() } else { self.name.clone() };
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
    let text = report.to_string().map_err(|error| {
        Failure::failed(format!("Cannot write JUnit XML to {}: {error}.", path.display()))
    })?;
    std::fs::write(path, text).map_err(|error| about(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::Place;

    fn failed() -> Result {
        let at = Place { line: 7, ..Place::start(Path::new("a.json")) };
        let step = Some((2, "seat 1: order \"end\"".into()));
        let fault = Fault { step, at: Some(at), what: "The action was rejected: No.".into() };
        Result { path: "a.json".into(), name: "A".into(), faults: vec![fault], ..Result::default() }
    }

    #[test]
    fn a_failure_is_reported_with_its_step_and_line() {
        let expected = "FAIL a.json  A (0.00 s)\n       step 2 (line 7), seat 1: order \
            \"end\"\n       The action was rejected: No.";
        assert_eq!(failed().text(&Style::PLAIN), expected);
        let noted = Result {
            path: "a.json".into(),
            notes: vec!["1 scripted die left: [3]".into()],
            ..Result::default()
        };
        let expected = "pass a.json (0.00 s)\n       note: 1 scripted die left: [3]";
        assert_eq!(noted.text(&Style::PLAIN), expected);
    }

    #[test]
    fn junit_contains_failures() -> std::result::Result<(), Failure> {
        let file = tempfile::NamedTempFile::new()?;
        write_junit(file.path(), &[failed()])?;
        let text = std::fs::read_to_string(file.path())?;
        for part in ["failures=\"1\"", "The action was rejected: No."] {
            assert!(text.contains(part), "{text}");
        }
        Ok(())
    }
}
