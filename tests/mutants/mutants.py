"""Tests the mutants that `cargo mutants` lists, without a build for each.

A mutant is a changed expression that a test should detect. All mutants are built at once, each as a
branch chosen by an environment variable. A mutant is tested with the tests that reach the changed
place. Mutants that cannot be built this way are listed in `not-built.txt`: test those with `cargo
mutants`. Most of them do not compile at all, and some are in a constant.

The sources are changed in place: `run` uses a separate worktree.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import time

import tree_sitter
import tree_sitter_rust

RUST = tree_sitter.Language(tree_sitter_rust.language())

ALLOWED = (
    b"#![allow(warnings, clippy::all, arithmetic_overflow, unconditional_panic, "
    b"unconditional_recursion)]\n"
)

# Appended to the root of the crate.
SWITCH = """
#[doc(hidden)]
pub mod mutants {
    use std::io::Write as _;
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU8, Ordering};

    static CHOSEN: LazyLock<u32> = LazyLock::new(|| {
        std::env::var("MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(u32::MAX)
    });
    static LOG: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("MUTANTS_SEEN").ok());
    static SEEN: [AtomicU8; COUNT] = [const { AtomicU8::new(0) }; COUNT];

    /// Whether this mutant is chosen. Writes down that its place was reached.
    pub fn on(number: u32) -> bool {
        if LOG.is_some() && SEEN[number as usize].swap(1, Ordering::Relaxed) == 0 {
            let path = LOG.as_deref().unwrap_or_default();
            let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
            let _ = file.and_then(|mut file| writeln!(file, "{number}"));
        }
        *CHOSEN == number
    }
}
"""


@dataclasses.dataclass
class Mutant:
    """A change and its position in the file, in bytes."""

    number: int
    name: str
    genre: str
    replacement: bytes
    start: int
    end: int

    def on(self):
        return b"crate::mutants::on(%d)" % self.number


class Text:
    """Generated text that records which mutant wrote which part."""

    def __init__(self):
        self.parts = []
        self.length = 0
        self.branches = []
        self.wrappers = []
        # The match expressions, with the mutants that skip one of their arms.
        self.matches = []

    def add(self, other):
        if isinstance(other, bytes):
            self.parts.append(other)
            self.length += len(other)
            return
        self.branches += other.moved(other.branches, self.length)
        self.wrappers += other.moved(other.wrappers, self.length)
        self.matches += other.moved(other.matches, self.length)
        self.parts += other.parts
        self.length += other.length

    @staticmethod
    def moved(spans, by):
        return [(who, start + by, end + by) for who, start, end in spans]

    def add_branch(self, mutant, text):
        self.branches.append((mutant.number, self.length, self.length + len(text)))
        self.add(text)

    def bytes(self):
        return b"".join(self.parts)

    def without_first_byte(self):
        rest = Text()
        rest.parts, rest.length = [self.bytes()[1:]], self.length - 1
        rest.branches = self.moved(self.branches, -1)
        rest.wrappers = self.moved(self.wrappers, -1)
        rest.matches = self.moved(self.matches, -1)
        return rest

    def guilty(self, start, end):
        return {number for number, a, b in self.branches if a <= start and end <= b}

    @staticmethod
    def nearest(expressions, start, end):
        """Returns the mutants of the smallest expression that contains a span."""
        around = [one for one in expressions if one[1] <= start and end <= one[2]]
        smallest = min(around, key=lambda one: one[2] - one[1], default=((), 0, 0))
        return set(smallest[0])


class Source:
    """A file with its syntax tree and its mutants."""

    def __init__(self, path, listed):
        self.path = path
        self.source = pathlib.Path(path).read_bytes()
        self.root = tree_sitter.Parser(RUST).parse(self.source).root_node
        lines = self.source.splitlines(keepends=True)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line))

        def at(place):
            line = lines[place["line"] - 1].decode()
            return starts[place["line"] - 1] + len(line[: place["column"] - 1].encode())

        self.mutants = [
            Mutant(
                number,
                mutant["name"],
                mutant["genre"],
                mutant["replacement"].encode(),
                at(mutant["span"]["start"]),
                at(mutant["span"]["end"]),
            )
            for number, mutant in listed
        ]

    def find(self, mutant):
        """Returns the node that a mutant changes, or None if it is in a macro."""
        start = mutant.start

        def is_it(node):
            match mutant.genre:
                case "FnValue":
                    return (
                        node.type == "block"
                        and node.parent.type == "function_item"
                        and node.start_byte < start
                    )
                case "BinaryOperator":
                    return node.type in ("binary_expression", "compound_assignment_expr")
                case "UnaryOperator":
                    return node.type == "unary_expression" and node.start_byte == start
                case "MatchArm":
                    return node.type == "match_arm"
                case "MatchArmGuard":
                    return node.parent.type == "match_pattern" and node.start_byte == start
                case "StructField":
                    return node.type == "struct_expression"

        node = self.root.descendant_for_byte_range(start, max(start, mutant.end - 1))
        while node.parent is not None and not is_it(node):
            if node.type == "macro_invocation":
                return None
            node = node.parent
        return node if node.parent is not None else None

    def text_of(self, start, end):
        return self.source[start:end]

    def write(self, dropped):
        """Writes the file with all mutants except `dropped`. Returns mutants without a place."""
        self.of, self.guards, lost = collections.defaultdict(list), {}, set()
        for mutant in self.mutants:
            if mutant.number in dropped:
                continue
            node = self.find(mutant)
            if node is None:
                lost.add(mutant.number)
            elif mutant.genre == "MatchArmGuard":
                # Expressions in a guard may have their own mutants.
                self.guards.setdefault(node.id, {})[mutant.replacement] = mutant
            else:
                self.of[node.id].append(mutant)
        text = self.render(self.root)
        pathlib.Path(self.path).write_bytes(text.bytes())
        return text, lost

    def render(self, node):
        if node.id not in self.guards:
            return self.render_changed(node)
        values, text = self.guards[node.id], Text()
        text.add(b"(")
        if yes := values.get(b"true"):
            text.add(yes.on() + b" || ")
        if no := values.get(b"false"):
            text.add(b"!" + no.on() + b" && ")
        text.add(b"(")
        text.add(self.render_changed(node))
        text.add(b"))")
        text.wrappers.append(([mutant.number for mutant in values.values()], 0, text.length))
        return text

    def render_changed(self, node):
        mutants = self.of.get(node.id)
        if not mutants:
            return self.render_children(node)
        match mutants[0].genre:
            case "FnValue":
                text = self.function(node, mutants)
            case "MatchArm":
                text = self.arm(node, mutants[0])
            case _:
                text = self.expression(node, mutants)
        text.wrappers.append(([mutant.number for mutant in mutants], 0, text.length))
        return text

    def render_children(self, node):
        text, at = Text(), node.start_byte
        for child in node.children:
            text.add(self.text_of(at, child.start_byte))
            text.add(self.render(child))
            at = child.end_byte
        text.add(self.text_of(at, node.end_byte))
        if node.type == "match_expression":
            arms = node.child_by_field_name("body").children
            passed = [mutant.number for arm in arms for mutant in self.of.get(arm.id, [])]
            text.matches.append((passed, 0, text.length))
        return text

    def function(self, node, mutants):
        """Writes a body that immediately returns another value."""
        text = Text()
        text.add(b"{")
        for mutant in mutants:
            text.add(b" if " + mutant.on() + b" { ")
            text.add_branch(mutant, b"return " + mutant.replacement + b";")
            text.add(b" }")
        text.add(b" ")
        text.add(self.render_children(node).without_first_byte())
        return text

    def arm(self, node, mutant):
        """Writes a match arm that is skipped."""
        text, at = Text(), node.start_byte
        pattern = node.child_by_field_name("pattern")
        condition = pattern.child_by_field_name("condition")
        for child in node.children:
            text.add(self.text_of(at, child.start_byte))
            at = child.end_byte
            if child.id != pattern.id:
                text.add(self.render(child))
            elif condition is None:
                text.add(self.render(child))
                text.add(b" if !" + mutant.on())
            else:
                text.add(self.text_of(pattern.start_byte, condition.start_byte))
                text.add(b"!" + mutant.on() + b" && (")
                text.add(self.render(condition))
                text.add(b")")
        return text

    def expression(self, node, mutants):
        """Writes a changed or removed operator, or a removed field."""
        text = Text()
        text.add(b"(")
        for mutant in mutants:
            rest = self.text_of(mutant.end, node.end_byte)
            if mutant.genre == "StructField":
                rest = rest.lstrip().removeprefix(b",")
            changed = self.text_of(node.start_byte, mutant.start) + mutant.replacement + rest
            text.add(b"if " + mutant.on() + b" { ")
            text.add_branch(mutant, b"(" + changed + b")")
            text.add(b" } else ")
        text.add(b"{ ")
        text.add(self.render_children(node))
        text.add(b" })")
        return text


def cargo(*arguments):
    return subprocess.run(["cargo", *arguments], capture_output=True)


def list_mutants(package, files):
    chosen = [word for file in files for word in ("-f", file)]
    done = cargo("mutants", "-p", package, "--list", "--json", *chosen)
    if done.returncode != 0:
        sys.exit(done.stderr.decode())
    return list(enumerate(json.loads(done.stdout)))


def build(sources, root, packages, targets, count):
    """Builds all mutants that compile together. Returns the rest, and the test programs."""
    dropped = set()
    original = pathlib.Path(root).read_bytes()
    chosen = [word for package in packages for word in ("-p", package)]
    while True:
        texts, lost = {}, set()
        for source in sources:
            texts[source.path], without = source.write(dropped)
            lost |= without
        own = texts[root].bytes() if root in texts else original
        # Crate attributes follow the file's inner doc comment.
        head = 0
        while own.startswith(b"//!", head):
            head = own.index(b"\n", head) + 1
        switch = SWITCH.replace("COUNT]", f"{count}]").encode()
        pathlib.Path(root).write_bytes(own[:head] + ALLOWED + own[head:] + switch)

        done = cargo("test", *chosen, *targets, "--no-run", "--message-format=json")
        executables, guilty, errors = [], set(), []
        for message in map(json.loads, done.stdout.splitlines()):
            if message["reason"] == "compiler-artifact":
                if message["executable"] and message["profile"]["test"]:
                    home = pathlib.Path(message["manifest_path"]).parent
                    executables.append((message["executable"], home))
            elif message["reason"] == "compiler-message" and message["message"]["level"] == "error":
                errors.append(message["message"]["rendered"])
                guilty |= blame(message["message"], texts, {root: head})
        if done.returncode == 0:
            return dropped, lost, executables
        if not guilty - dropped:
            sys.exit("no mutant caused these errors:\n" + "".join(errors) + done.stderr.decode())
        dropped |= guilty


def blame(message, texts, heads):
    """Returns the mutants that caused an error."""

    def place(span):
        path, start, end = span["file_name"], span["byte_start"], span["byte_end"]
        shift = len(ALLOWED) if start >= heads.get(path, start + 1) else 0
        return texts.get(path, Text()), start - shift, end - shift

    spans = message["spans"] + [span for child in message["children"] for span in child["spans"]]
    guilty = set()
    for span in spans:
        text, start, end = place(span)
        guilty |= text.guilty(start, end)
    if not guilty:
        for span in filter(lambda span: span["is_primary"], spans):
            text, start, end = place(span)
            # A missing arm is reported at the start of its match.
            missed = (message["code"] or {}).get("code") == "E0004"
            guilty |= text.nearest(text.matches if missed else text.wrappers, start, end)
    return guilty


@dataclasses.dataclass
class Test:
    executable: str
    home: pathlib.Path
    name: str
    seconds: float = 0.0

    def run(self, timeout, **environment):
        began = time.monotonic()
        try:
            done = subprocess.run(
                [self.executable, "--exact", self.name, "--test-threads=1"],
                cwd=self.home,
                env={**os.environ, **environment},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=timeout,
            )
            verdict = "survived" if done.returncode == 0 else "caught"
        except subprocess.TimeoutExpired:
            verdict = "endless"
        return verdict, time.monotonic() - began


def survey(executables, longest, threads, folder):
    """Returns the tests that reach each mutant, and the duration of each test."""
    tests = []
    for executable, home in executables:
        listed = subprocess.run(
            [executable, "--list", "--format", "terse"], capture_output=True, text=True, cwd=home
        )
        names = listed.stdout.splitlines()
        tests += [
            Test(executable, home, name.removesuffix(": test"))
            for name in names
            if name.endswith(": test")
        ]

    def follow(place):
        test, seen = tests[place], folder / f"seen.{place}"
        verdict, test.seconds = test.run(5 * longest, MUTANTS_SEEN=str(seen))
        reached = seen.read_text().split() if seen.exists() else []
        seen.unlink(missing_ok=True)
        if verdict == "caught":
            print(f"skipped, fails without mutants: {test.name}")
        elif verdict == "endless" or test.seconds > longest:
            print(f"skipped, takes {test.seconds:.0f} s: {test.name}")
        else:
            return test, {int(number) for number in reached}
        return test, set()

    reach = collections.defaultdict(list)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for test, numbers in pool.map(follow, range(len(tests))):
            for number in numbers:
                reach[number].append(test)
    print(f"{len(tests)} tests, {sum(test.seconds for test in tests):.0f} s one after another")
    return reach


def attempt(number, tests, successes, patience):
    """Runs the tests that reach a mutant, fast and successful tests first."""
    until = time.monotonic() + patience
    for test in sorted(tests, key=lambda test: test.seconds / (1 + successes[test.name])):
        if time.monotonic() > until:
            return "unfinished"
        verdict, _ = test.run(max(5.0, 10 * test.seconds), MUTANT=str(number))
        if verdict != "survived":
            successes[test.name] += 1
            return verdict
    return "survived" if tests else "unreached"


def without_place(name):
    """Returns a mutant's name without line and column, which change with every edit."""
    path, _, _, what = name.split(":", 3)
    return f"{path}:{what}"


def explained(path):
    lines = pathlib.Path(path).read_text().splitlines()
    return collections.Counter(line for line in lines if line and not line.startswith("#"))


def main():
    parser = argparse.ArgumentParser(prog="run", description=__doc__.split("\n")[0])
    parser.add_argument("package", help="package whose mutants are tested")
    parser.add_argument("--file", action="append", default=[], help="only mutants in matching files")
    parser.add_argument("--only", help="file with the names of the mutants to test")
    parser.add_argument("--also", action="append", default=[], help="package whose tests run as well")
    parser.add_argument("--lib", action="store_true", help="run only unit tests")
    parser.add_argument("--longest", type=float, default=3, help="maximum duration of a test in seconds")
    parser.add_argument("--patience", type=float, default=60, help="maximum duration for a mutant in seconds")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="mutants.out", help="folder for the lists")
    parser.add_argument("--survivors", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    began = time.monotonic()

    listed = list_mutants(options.package, options.file)
    wanted = set(pathlib.Path(options.only).read_text().splitlines()) if options.only else None
    by_file = collections.defaultdict(list)
    for number, mutant in listed:
        if wanted is None or mutant["name"] in wanted:
            by_file[mutant["file"]].append((number, mutant))
    names = {number: mutant["name"] for own in by_file.values() for number, mutant in own}
    metadata = json.loads(cargo("metadata", "--no-deps", "--format-version=1").stdout)
    [home] = [
        pathlib.Path(package["manifest_path"]).parent
        for package in metadata["packages"]
        if package["name"] == options.package
    ]
    root = str(home.relative_to(pathlib.Path.cwd()) / "src/lib.rs")
    print(f"{len(names)} mutants in {len(by_file)} files")

    sources = [Source(path, own) for path, own in by_file.items()]
    dropped, lost, executables = build(
        sources,
        root,
        [options.package, *options.also],
        ["--lib"] if options.lib else ["--tests"],
        len(listed),
    )
    print(f"built in {time.monotonic() - began:.0f} s, without {len(dropped | lost)}")

    # The path must be absolute, because tests run in the folders of their packages.
    folder = pathlib.Path(options.out).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    reach = survey(executables, options.longest, options.threads, folder)
    successes = collections.Counter()
    found = collections.defaultdict(list)
    found["not-built"] = sorted(dropped | lost)
    with concurrent.futures.ThreadPoolExecutor(options.threads) as pool:
        tried = {
            pool.submit(attempt, number, reach[number], successes, options.patience): number
            for number in names
            if number not in dropped | lost
        }
        for done in concurrent.futures.as_completed(tried):
            found[done.result()].append(tried[done])
            for verdict, numbers in found.items():
                lines = "".join(f"{names[number]}\n" for number in sorted(numbers))
                (folder / f"{verdict}.txt").write_text(lines)
    counts = ", ".join(f"{len(numbers)} {verdict}" for verdict, numbers in sorted(found.items()))
    print(f"{counts}; {time.monotonic() - began:.0f} s")

    known, unknown = explained(options.survivors), []
    for verdict in ("survived", "unfinished", "unreached"):
        for number in sorted(found[verdict]):
            name = without_place(names[number])
            if known[name] > 0:
                known[name] -= 1
            else:
                unknown.append(f"{verdict}: {names[number]}")
    print("\n".join(unknown))
    sys.exit(1 if unknown else 0)


if __name__ == "__main__":
    main()
