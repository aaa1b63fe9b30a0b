import type { ComponentChildren, JSX } from 'preact'

/** Shown in place of an empty list: what it will contain, and what to do next. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
