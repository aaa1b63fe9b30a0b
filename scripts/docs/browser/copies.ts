/** Adds a button to each code block that copies it, where the browser allows that: on secure pages only. */
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
