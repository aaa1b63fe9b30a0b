/** The address that the contract names, which stands in the text of pages. */
const written = document.documentElement.dataset['server'] ?? ''

/** The service that shows this page, at `/docs/`; undefined on a site that lies on a disk or is published by itself. */
export function serviceAddress(): string | undefined {
  const root = new URL(document.documentElement.dataset['root'] || './', location.href)
  return root.protocol.startsWith('http') && root.pathname.endsWith('/docs/') ? root.href.slice(0, -'/docs/'.length) : undefined
}

/** A reader whom a service shows its reference finds that service's address in all that can be copied. */
export function showAddress(): void {
  const address = serviceAddress()
  const main = document.querySelector('main')
  if (address === undefined || written === '' || main === null) return
  main.normalize()
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
  while (texts.nextNode() !== null) {
    const { currentNode: text } = texts
    const value = text.nodeValue ?? ''
    if (value.includes(written)) text.nodeValue = value.replaceAll(written, address)
  }
}
