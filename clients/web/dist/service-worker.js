// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-TVtnW5Ac.js","/assets/account-CtDeVfn4.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-B1oygUcT.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-1J-mQAqM.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-BTbF4bf4.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-B61VjR9B.js","/assets/diplomacy-BWLVjS0X.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-DpOlecMH.js","/assets/game-D1JUGBAh.js","/assets/game-Dz3zQiDE.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-D0N_5B-Z.js","/assets/index-Dd2S6VvF.css","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-DFN-Ztp9.js","/assets/kinds-BZ81WMXX.js","/assets/leaderboard-DAxC4OOH.js","/assets/lesson-ChD3qHfE.css","/assets/lesson-DdX5qGlP.js","/assets/lobby-CufhL0LQ.js","/assets/new-game-Bp3SST-a.js","/assets/new-game-DqdIVqyj.js","/assets/notices-D7rQsYfM.js","/assets/operator-DaFqXqs9.js","/assets/options-D88onJ14.js","/assets/options-sQOa1vDi.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-C3zPMBD7.js","/assets/profile-BB2gB2op.js","/assets/profile-BLgxxXxA.js","/assets/progress-BRUoVi7g.js","/assets/proof-CIK6xD4Q.js","/assets/push-B9KV0GjX.js","/assets/report-L3_u7B7G.js","/assets/router-Dily03zH.js","/assets/rule-Dn3_FNt9.js","/assets/rulebook-B8lo506a.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-Cf9f3KY6.js","/assets/sandbox_pb-CqOlMg5E.js","/assets/scenario-NfaoQi45.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-CCW-xw0l.js","/assets/search-filters-ciXFVXBO.js","/assets/session-CHNQxDHZ.js","/assets/settings-BTiNwPsv.js","/assets/stage-DQsLuAiF.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-DZn6Qzos.js","/assets/term-D1Y3tPHQ.js","/assets/term-DOR9gjIc.css","/assets/timestamp-I_jZSTU9.js","/assets/tournament-C34CFMyQ.js","/assets/tournament_pb-BXJsVtxn.js","/assets/tournaments-6FGns8BH.js","/assets/tournaments-CMVT0NoT.js","/assets/tutorial-DQ71auO8.js","/assets/words-DPnJX25K.js"];
const CACHE = '18f597ce15f81982';

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
