const KEY = 'release'

/**
 * Keeps a reader in the chosen release. Needed because a page that is the same in several releases is one file, whose links lead to the
 * newest of them.
 */
export function keepRelease(): void {
  for (const link of document.querySelectorAll<HTMLElement>('[data-release]'))
    link.addEventListener('click', () => keep(link.dataset['release'] ?? ''))
  const { root = '', variants = '{}' } = document.documentElement.dataset
  const files = JSON.parse(variants) as Readonly<Record<string, string>>
  const chosen = storedRelease()
  const file = chosen === null ? undefined : files[chosen]
  const shown = document.querySelector('.release b')
  if (chosen === null || file === undefined) return
  const wanted = new URL(`${root}${file}.html`, location.href)
  if (wanted.pathname === location.pathname) {
    if (shown !== null) shown.textContent = chosen
  } else location.replace(`${wanted.href}${location.hash}`)
}

function storedRelease(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Stores the choice. If storage is disabled, the choice applies to this page only. */
function keep(date: string): void {
  try {
    sessionStorage.setItem(KEY, date)
  } catch {}
}
