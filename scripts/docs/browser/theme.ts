const choices = [undefined, 'light', 'dark'] as const

/** Lets the reader choose the light theme, the dark theme or the system's. The browser stores the choice. */
export function chooseTheme(): void {
  show(storedTheme())
  document.querySelector('#theme')?.addEventListener('click', () => {
    const location = choices.findIndex((choice) => choice === document.documentElement.dataset['theme'])
    const next = choices[(location + 1) % choices.length]
    keep(next)
    show(next)
  })
}

function show(theme: string | undefined): void {
  if (theme === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** The stored choice. If storage is disabled, the choice applies to this page only. */
function storedTheme(): string | undefined {
  try {
    return localStorage.getItem('theme') ?? undefined
  } catch {
    return undefined
  }
}

function keep(theme: string | undefined): void {
  try {
    if (theme === undefined) localStorage.removeItem('theme')
    else localStorage.setItem('theme', theme)
  } catch {}
}
