// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-DoOxej8t.js","/assets/account-CQeOlsZz.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-SwUxMbzq.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-D8Kp2fK-.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-ERRd9_zC.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-B61VjR9B.js","/assets/diplomacy-BWLVjS0X.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-BewVzUlZ.js","/assets/game-CHf7v1Hm.js","/assets/game-Dq1Ar8Zg.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-DGQ24g_t.js","/assets/index-DOxyW2pJ.css","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-CoYOCCl3.js","/assets/kinds-KAe0qa-a.js","/assets/leaderboard-btWFXDtl.js","/assets/lesson-70c9_wZ8.js","/assets/lesson-ChD3qHfE.css","/assets/lobby-vOAI-iO2.js","/assets/new-game-D-nPAqcn.js","/assets/new-game-Dtgkejrb.js","/assets/notices-BSCFzjR_.js","/assets/operator-QqeN1d-t.js","/assets/options-BJKs0StI.js","/assets/options-DUWdo7DK.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-BI59fny8.js","/assets/profile-DucdCvOS.js","/assets/profile-LvzTk6w7.js","/assets/progress-DgwlhFIj.js","/assets/proof-OhqR56bi.js","/assets/push-DuoKbzX1.js","/assets/report-ChRYj3iu.js","/assets/router-CxahNcin.js","/assets/rule-CBpbTc_O.js","/assets/rulebook-DqjR-Lpo.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-RX7q1h14.js","/assets/sandbox_pb-D5THjWAu.js","/assets/scenario-Csc2w82k.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-BuiH81wm.js","/assets/search-filters-zDZTT4Ao.js","/assets/session-Cn9GnbW9.js","/assets/settings-BIEjIt0K.js","/assets/stage-DQsLuAiF.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-B8Ot5n2F.js","/assets/term-CSjnC3_p.js","/assets/term-DOR9gjIc.css","/assets/timestamp-2doPXfU0.js","/assets/tournament-BRmJ6bxL.js","/assets/tournament_pb-Dd56uwkT.js","/assets/tournaments-BHO0HQdy.js","/assets/tournaments-SNwSF4gP.js","/assets/tutorial-DXKQ5JMw.js","/assets/words-BK-OH9eP.js"];
const CACHE = '3c1e4e6411a1a5ab';

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
