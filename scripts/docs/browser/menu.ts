/** Folds the table of contents on narrow screens, where it is above the text. */
export function foldMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>('.menu')
  if (menu !== null && matchMedia('(max-width: 60rem)').matches) menu.open = false
}
