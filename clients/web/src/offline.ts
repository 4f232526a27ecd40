// The service worker, with which the page opens without a connection.

const SCRIPT = '/service-worker.js';

interface Policies {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => string };
}

/** Registers the service worker. Browsers can forbid it: the page works without. */
export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // The content security policy requires a trusted address of the script.
  const { trustedTypes } = window as { trustedTypes?: Policies };
  const policy = trustedTypes?.createPolicy('service-worker', { createScriptURL: () => SCRIPT });
  await navigator.serviceWorker.register(policy?.createScriptURL(SCRIPT) ?? SCRIPT);
}
