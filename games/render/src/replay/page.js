
const packed = Uint8Array.from(atob(document.getElementById('book').textContent), (char) => char.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
const book = JSON.parse(await new Response(unpacked).text());
const [bar, slider, map, all, play] = ['bar', 'slider', 'map', 'all', 'play'].map((id) => document.getElementById(id));
const sections = [...document.querySelectorAll('section')];
const last = book.leaves.length - 1;
let timer = 0;

// The text of runs of lines: from which line on, how many; and so on.
function text(runs) {
  const lines = [];
  for (let run = 0; run < runs.length; run += 2) {
    lines.push(...book.lines.slice(runs[run], runs[run] + runs[run + 1]));
  }
  return lines.join('\n');
}

function show(number) {
  const phase = Math.min(Math.max(number, 0), last);
  slider.value = phase;
  slider.setAttribute('aria-valuetext', sections[phase].querySelector('h2').textContent);
  map.innerHTML = text(book.leaves[phase].map);
  sections.forEach((section, index) => { section.hidden = !all.checked && index !== phase; });
  history.replaceState(null, '', '#p' + phase);
}

function halt() {
  clearInterval(timer);
  timer = 0;
  play.textContent = 'Play';
}

function leaf(by) {
  halt();
  show(Number(slider.value) + by);
}

function run() {
  if (timer) return halt();
  if (Number(slider.value) === last) show(0);
  play.textContent = 'Pause';
  timer = setInterval(() => {
    show(Number(slider.value) + 1);
    if (Number(slider.value) === last) halt();
  }, 1200);
}

if (last >= 0) {
  bar.hidden = false;
  document.getElementById('back').onclick = () => leaf(-1);
  document.getElementById('on').onclick = () => leaf(1);
  slider.oninput = () => leaf(0);
  all.onchange = () => show(Number(slider.value));
  play.onclick = run;
  document.onkeydown = (event) => {
    if (event.target === slider || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowLeft') leaf(-1);
    if (event.key === 'ArrowRight') leaf(1);
  };
  sections.forEach((section, index) => {
    const report = section.querySelector('pre');
    if (report) report.textContent = text(book.leaves[index].report);
  });
  const named = /^#p(\d+)$/.exec(location.hash);
  show(named ? Number(named[1]) : last);
}
