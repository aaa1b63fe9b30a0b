/** Turns samples in several languages into tabs. */
export function tabSamples(): void {
  document.querySelectorAll<HTMLElement>('.samples').forEach(tabsOf)
}

function tabsOf(box: HTMLElement): void {
  const labels = [...box.querySelectorAll(':scope > p')]
  const panels = labels.map((label) => label.nextElementSibling).filter((panel) => panel instanceof HTMLElement)
  const buttons = labels.map((label, place) => tabButton(label.textContent, place))
  const choose = (chosen: number): void => {
    for (const [place, button] of buttons.entries()) {
      button.setAttribute('aria-selected', String(place === chosen))
      button.tabIndex = place === chosen ? 0 : -1
    }
    for (const [place, panel] of panels.entries()) panel.hidden = place !== chosen
  }
  for (const [place, button] of buttons.entries()) {
    panels[place]?.setAttribute('role', 'tabpanel')
    panels[place]?.setAttribute('aria-labelledby', button.id)
    button.addEventListener('click', () => choose(place))
    button.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      const next = (place + step + buttons.length) % buttons.length
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

function tabButton(text: string, place: number): HTMLButtonElement {
  const button = document.createElement('button')
  Object.assign(button, { type: 'button', textContent: text, id: `tab-${place}` })
  button.setAttribute('role', 'tab')
  return button
}
