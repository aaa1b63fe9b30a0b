/** On a narrow screen the contents stand above the text, so they are folded there. */
export function foldMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu')
  if (menu !== null && matchMedia('(max-width: 60rem)').matches) menu.open = false
}
