// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-BIrWR-kR.js","/assets/account-CwE7PXJl.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-D3Osst48.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-gT8rtQkc.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-CCcFdHaB.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-B61VjR9B.js","/assets/diplomacy-BWLVjS0X.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-CK-lxt2Q.js","/assets/game-AU8VcsPm.js","/assets/game-B4P7JUg4.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-BS0sEwfJ.js","/assets/index-Dd2S6VvF.css","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-C_V3FI43.js","/assets/kinds-Cdce-Z9z.js","/assets/leaderboard-DDunp-Fy.js","/assets/lesson-C64FkRAe.js","/assets/lesson-ChD3qHfE.css","/assets/lobby-B7HPXb6Q.js","/assets/new-game-C1gWCx6N.js","/assets/new-game-xWNj8FP1.js","/assets/notices-AQYYyJw8.js","/assets/operator-B2oGxD_s.js","/assets/options-CcVtGPak.js","/assets/options-cr7N1qX7.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-mIW8mpMR.js","/assets/profile-D8SiJLnD.js","/assets/profile-q0h07HXW.js","/assets/progress-C5tFqAIj.js","/assets/proof-DB1SkdH0.js","/assets/push-BVjPBB01.js","/assets/report-O67m3OXX.js","/assets/router-C4mxRsBR.js","/assets/rule-CkkvdL9c.js","/assets/rulebook-CcA3VRKh.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-DYDCj-q7.js","/assets/sandbox_pb-DAllFT5D.js","/assets/scenario-DoUc0h58.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-Upq53svS.js","/assets/search-filters-CBr6vxxT.js","/assets/session-BLiwrgy5.js","/assets/settings-C8FtZrPH.js","/assets/stage-DQsLuAiF.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-BiW4LYvG.js","/assets/term-DOR9gjIc.css","/assets/term-lESBgg3A.js","/assets/timestamp-CjTKUr-s.js","/assets/tournament-CsXvjqnk.js","/assets/tournament_pb-CsG7atvw.js","/assets/tournaments-ClBujWTZ.js","/assets/tournaments-DiLsrtoy.js","/assets/tutorial-CC0-DBR5.js","/assets/words-B5OvShSw.js"];
const CACHE = '87ec509811a917fd';

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(['/', ...FILES])));
});

self.addEventListener('activate', (event) => {
  const remove = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(remove());
});

// Only the page and its files. Calls to the engine never come from the cache.
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** Returns the latest page; the cached one if neither the engine nor a proxy has an answer. */
async function page(request) {
  const answer = await fetch(request).catch(() => undefined);
  if (answer && answer.status < 500) return answer;
  return (await caches.match('/')) ?? answer ?? Response.error();
}

/** The name of a file contains its hash, so a cached file is never out of date. */
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

self.addEventListener('push', (event) => {
  const { title, body, url, tag } = event.data.json();
  const shown = { body, tag, icon: '/icon-192.png', data: url };
  event.waitUntil(self.registration.showNotification(title, shown));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { origin, href } = new URL(event.notification.data, self.location.origin);
  if (origin === self.location.origin) event.waitUntil(show(href));
});

/** Shows the tab with an address, or opens one. */
async function show(href) {
  const tabs = await self.clients.matchAll({ type: 'window' });
  const open = tabs.find(({ url }) => url === href);
  await (open ? open.focus() : self.clients.openWindow(href));
}
