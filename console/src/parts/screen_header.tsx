import type { ComponentChildren, JSX } from 'preact'

interface ScreenHeaderProps {
  readonly title: string
  readonly children: ComponentChildren
  /** A button at the end of the line. */
  readonly action?: ComponentChildren
}

/** The title of a screen, and what the screen is for. */
export function ScreenHeader({ title, children, action }: ScreenHeaderProps): JSX.Element {
  return (
    <div class="screen-header">
      <div>
        <h1>{title}</h1>
        <p class="soft">{children}</p>
      </div>
      {action}
    </div>
  )
}
