/** Adds a button that copies it to each code block. Browsers allow copying only on secure pages. */
export function offerCopies(): void {
  if (!('clipboard' in navigator)) return
  for (const block of document.querySelectorAll('pre')) {
    const text = block.textContent
    const button = document.createElement('button')
    Object.assign(button, { type: 'button', className: 'copy', textContent: 'Copy' })
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(text).then(() => {
        button.textContent = 'Copied'
        setTimeout(() => (button.textContent = 'Copy'), 1500)
      })
    })
    block.prepend(button)
  }
}
