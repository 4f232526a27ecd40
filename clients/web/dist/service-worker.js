// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-DtOtGI6n.js","/assets/account-CYVpeVCW.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-hrAEh3ek.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-_gniwlz8.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-CLe80DnN.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-BWLVjS0X.js","/assets/diplomacy-jHQ7gM1k.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-C3zcA31U.js","/assets/game-JI-nl-Vb.js","/assets/game-u-pITcXg.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-BaWHdk-U.js","/assets/index-Bgqt3w44.css","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-r5BvTpAb.js","/assets/kinds-B-nmuXTp.js","/assets/leaderboard-DCMN54VQ.js","/assets/lesson-CYDCy6bo.js","/assets/lesson-ChD3qHfE.css","/assets/lobby-ACY1D9uA.js","/assets/new-game-DK3NUlrP.js","/assets/new-game-DQ6OAAct.js","/assets/notices-CoMMuH7D.js","/assets/operator-gK-M_L_Q.js","/assets/options-B3hGZSAW.js","/assets/options-CRaqT3dM.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-CsOHojr3.js","/assets/profile-B7FeNlp8.js","/assets/profile-DKP0dq6T.js","/assets/progress-t7cr2Yj_.js","/assets/proof-BT344lrP.js","/assets/push-BgiqMviS.js","/assets/report-C7gD8DRF.js","/assets/router-iiYZaXX5.js","/assets/rule-C9lqB1kO.js","/assets/rulebook-CwGDKh3q.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-Czki3SG3.js","/assets/sandbox_pb-C0mpavsH.js","/assets/scenario-D2lJ6lO_.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-BRhNjQPR.js","/assets/search-filters-hkUSHmIU.js","/assets/session-DQJ715bT.js","/assets/settings-CO4GKAPj.js","/assets/stage-B39IT8Fg.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-D5EqGM6a.js","/assets/term-DOR9gjIc.css","/assets/term-Xw49rDUA.js","/assets/timestamp-D05C9lTS.js","/assets/tournament-CqUrkJFO.js","/assets/tournament_pb-VaPt3Sxt.js","/assets/tournaments-17rronk_.js","/assets/tournaments-D_l01Ro3.js","/assets/tutorial-DN6l8OVQ.js","/assets/words-B1OPScFS.js"];
const CACHE = '3f32b5f026595b95';

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
