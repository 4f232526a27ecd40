// Opens the page without a connection, and shows the notices that arrive while it is closed. The
// build writes the names of its files into this script, so each deployment has another script.

const FILES = ["/assets/abuse-Hx5lL20j.js","/assets/account-RMn1u31-.js","/assets/alone-in-outer-space-BBnKx1aH.js","/assets/alone-in-outer-space-Bfbx2ScC.js","/assets/calls-table-DTTbm6xt.js","/assets/codec-BzzzHGYm.js","/assets/colors-K5BHF7jz.js","/assets/components-DxIwOwS9.js","/assets/contents-B7F0QIfV.js","/assets/contents-CkG09vls.js","/assets/de-Rg1gEh8t.js","/assets/diplomacy-7RJd4rVQ.js","/assets/diplomacy-B61VjR9B.js","/assets/diplomacy-BWLVjS0X.js","/assets/drawing-7BLjw2ul.js","/assets/drawing-DyNT-8S_.js","/assets/enum-MagJ9QUt.js","/assets/envelope_pb-BEy9TuMk.js","/assets/fate-of-empire-CiWa_LEs.js","/assets/fate-of-empire-iypgMEz2.js","/assets/file-wphPMOwy.js","/assets/forming-o35DRl1o.js","/assets/game-B30zWXMx.js","/assets/game-Dmw0bA3Q.js","/assets/games-D8qv7X9f.js","/assets/games-VXcvcErP.js","/assets/geist-latin-wght-normal-BgDaEnEv.woff2","/assets/index-CsPbgLl0.css","/assets/index-cJ8oMbnp.js","/assets/it-came-from-outer-space-DuuG47aa.js","/assets/it-came-from-outer-space-gNKZSu5X.js","/assets/join-CJpRLTCK.js","/assets/kinds-DH8bLhwN.js","/assets/leaderboard-W1w74y8N.js","/assets/lesson-CdFR6z0B.js","/assets/lesson-ChD3qHfE.css","/assets/lobby-CpxOSkVp.js","/assets/new-game-BIs7oKWt.js","/assets/new-game-DOsJVVOV.js","/assets/notices-Cu9FToM5.js","/assets/operator-CqbamqL3.js","/assets/options-BmjNeluE.js","/assets/options-f-xaeNO-.js","/assets/options_pb-BER7W5MI.js","/assets/options_pb-Btz-eqOg.js","/assets/options_pb-CMLRYIXX.js","/assets/options_pb-CsIFb5wF.js","/assets/options_pb-CyKwaX1y.js","/assets/options_pb-DsKN6N_R.js","/assets/preview-CqJxHzuc.js","/assets/profile-BAIKJM-X.js","/assets/profile-Ch48MvfT.js","/assets/progress-CmbMat-o.js","/assets/proof-pbupm615.js","/assets/push-BLhtp-0O.js","/assets/report-DJrN2TbN.js","/assets/router-COSmGKBH.js","/assets/rule-D1x4SdVS.js","/assets/rulebook-DzpRD3n3.js","/assets/rules-DEgU4auQ.js","/assets/sandbox-C0LKJAMx.js","/assets/sandbox_pb-DbruM_ad.js","/assets/scenario-DlM4aeTE.js","/assets/scene_pb-Dtfl3wPy.js","/assets/search-filters-BpMXciZJ.js","/assets/search-r8pf6CxH.js","/assets/session-B0FnWcG4.js","/assets/settings-ChvR0UGs.js","/assets/stage-BjV1xcjW.js","/assets/star-empires-C56KBwLj.js","/assets/star-empires-ChEFQ4UD.js","/assets/starships-at-large-D5fYAu7e.js","/assets/starships-at-large-DK9GF-Ew.js","/assets/starships_pb-DMYaqZbi.js","/assets/starships_pb-cwInFjHV.js","/assets/stellar-conquest-BHr5yE6D.js","/assets/stellar-conquest-DwOxXEss.js","/assets/styles-CTgWEZOj.js","/assets/styles-DsfwThBK.js","/assets/table-Cgd2JSi7.js","/assets/term-DOR9gjIc.css","/assets/term-KBXdc35Y.js","/assets/timestamp-B7tYI76O.js","/assets/tournament-IomdrXK_.js","/assets/tournament_pb-CMcpce_V.js","/assets/tournaments-BzFO8j9k.js","/assets/tournaments-C3_J6zAV.js","/assets/tutorial-DoHnCQ4m.js","/assets/words-BspLvsX4.js"];
const CACHE = 'e1da27eaa6a44b16';

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
