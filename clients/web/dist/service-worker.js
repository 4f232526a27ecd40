// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-7--XSMgm.js","/assets/account-Bj0ePJ-A.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-BsJw-sxb.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-B-UTFXId.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-BwcXQHd0.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-B61VjR9B.js","/assets/diplomacy-BWLVjS0X.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-D3YlG_QO.js","/assets/game-Cp7fYIac.js","/assets/game-DYZwxQqk.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-CsPbgLl0.css","/assets/index-DPqo1Db7.js","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-DrN4u0o9.js","/assets/kinds-C1mhze5i.js","/assets/leaderboard-eYvhStsj.js","/assets/lesson-ChD3qHfE.css","/assets/lesson-DG3Rj4Wl.js","/assets/lobby-BEUxulUi.js","/assets/new-game-C9x7fMy7.js","/assets/new-game-CQEPdqjm.js","/assets/notices-DMrXw2Me.js","/assets/operator-CRTvh5Qb.js","/assets/options-C8nPl0vk.js","/assets/options-DpVvm3tu.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-iQUMNCXY.js","/assets/profile-B_UP8LDK.js","/assets/profile-C1nYaBlL.js","/assets/progress-DZITi2-R.js","/assets/proof-B6sChuVt.js","/assets/push-BKoRiw3T.js","/assets/report-CUfMb1nK.js","/assets/router-BH2Whs_p.js","/assets/rule-D_739IC1.js","/assets/rulebook--19q3iJ4.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-BFzK48v4.js","/assets/sandbox_pb-Bcv_b0ui.js","/assets/scenario-D_Nf2-FM.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-RazpfHx6.js","/assets/search-filters-mUVWt03A.js","/assets/session-DyLrGUt7.js","/assets/settings-DjElCsGN.js","/assets/stage-DQsLuAiF.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-fGSJIzOL.js","/assets/term-B6ag_qma.js","/assets/term-DOR9gjIc.css","/assets/timestamp-BgxytavH.js","/assets/tournament-B5Kx49i3.js","/assets/tournament_pb-CShvHTuX.js","/assets/tournaments-B3N-yh2Z.js","/assets/tournaments-DSiP7kQx.js","/assets/tutorial-D15fP02i.js","/assets/words-fdfknVAP.js"];
const CACHE = '23617925e694af4a';

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
