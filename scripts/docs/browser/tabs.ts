/** Turns samples in several languages into tabs. */
export function tabSamples(): void {
  document.querySelectorAll<HTMLElement>('.samples').forEach(tabsOf)
}

function tabsOf(box: HTMLElement): void {
  const labels = [...box.querySelectorAll(':scope > p')]
  const panels = labels.map((label) => label.nextElementSibling).filter((panel) => panel instanceof HTMLElement)
  const buttons = labels.map((label, location) => tabButton(label.textContent, location))
  const choose = (chosen: number): void => {
    for (const [location, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(location === chosen))
      button.tabIndex = location === chosen ? 0 : -1
    }
    for (const [location, panel] of panels.entries()) panel.hidden = location !== chosen
  }
  for (const [location, button] of buttons.entries()) {
    panels[location]?.setAttribute('role', 'tabpanel')
    panels[location]?.setAttribute('aria-labelledby', button.id)
    button.addEventListener('click', () => choose(location))
    button.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      const next = (location + step + buttons.length) % buttons.length
      choose(next)
      buttons[next]?.focus()
    })
  }
  for (const label of labels) label.remove()
  const tabs = document.createElement('div')
  tabs.className = 'tabs'
  tabs.setAttribute('role', 'tablist')
  tabs.setAttribute('aria-label', 'Language')
  tabs.append(...buttons)
  box.prepend(tabs)
  choose(0)
}

function tabButton(text: string, location: number): HTMLButtonElement {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', textContent: text, id: `tab-${location}` })
  button.setAttribute('role', 'tab')
  return button
}
