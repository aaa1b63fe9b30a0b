/** The service that serves this page, at `/docs/`; undefined if the site was opened from disk or is published separately. */
export function servingAddress(): string | undefined {
  const root = new URL(document.documentElement.dataset['root'] || './', location.href)
  return root.protocol.startsWith('http') && root.pathname.endsWith('/docs/') ? root.href.slice(0, -'/docs/'.length) : undefined
}
