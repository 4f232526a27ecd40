// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/account-DThSosqQ.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-C0jhEe2f.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/diplomacy-BWLVjS0X.js","/assets/diplomacy-jHQ7gM1k.js","/assets/drawing-0XSNrD-P.js","/assets/drawing-CM643ocZ.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-CYVm_PF1.js","/assets/game-2h4qanIO.js","/assets/game-REZrXTxf.js","/assets/games-Dmjhqkq2.js","/assets/games-ph5lRrLH.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-B6GWvE8u.css","/assets/index-DTPhCtK1.js","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-SJkrTtW5.js","/assets/kinds-BaC2BznQ.js","/assets/leaderboard-DH_o4X71.js","/assets/lesson-ChD3qHfE.css","/assets/lesson-CiwYnKws.js","/assets/lobby-DQpEcNFp.js","/assets/new-game-C4FVGPXZ.js","/assets/notices-BPe6tBU9.js","/assets/operator-BY5c4Sg2.js","/assets/options-AEUMF0Mo.js","/assets/options-BNfpKD5Y.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preload-helper-DygEbaNj.js","/assets/profile-3na0ZTr6.js","/assets/profile-D4Rfaj6L.js","/assets/progress-BFPfcns5.js","/assets/proof-BJ2eXe3N.js","/assets/push-CqeSiXyu.js","/assets/report-YqhTr2Fg.js","/assets/rule-Cow-F5oy.js","/assets/rulebook-Bp_gcadv.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-DOv35VpP.js","/assets/scenario-B22hHrNi.js","/assets/scene_pb-BaVsPGFl.js","/assets/session-BQVUkv5L.js","/assets/settings-CPMF7H5A.js","/assets/stage-DLd__ZPX.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/storage-BzFbPIa2.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-D53o66CR.js","/assets/term-DOR9gjIc.css","/assets/term-Gtp2_LQV.js","/assets/tutorial-CwSJufIr.js"];
const CACHE = 'f0ffa222b21d703e';

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
