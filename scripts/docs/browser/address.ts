/** The address that the contract names, as the text of pages shows it. */
const written = document.documentElement.dataset['server'] ?? ''

/** The service that serves this page, at `/docs/`; undefined if the site was opened from a disk or is published separately. */
export function servingAddress(): string | undefined {
  const root = new URL(document.documentElement.dataset['root'] || './', location.href)
  return root.protocol.startsWith('http') && root.pathname.endsWith('/docs/') ? root.href.slice(0, -'/docs/'.length) : undefined
}

/** If a service serves the reference, everything that readers can copy has the address of that service. */
export function showAddress(): void {
  const address = servingAddress()
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
