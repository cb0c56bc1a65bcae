import type { JSX } from 'preact'
import type { Badge } from '../entries.ts'

/** The badges of a prompt. */
export function Badges({ badges }: { readonly badges: readonly Badge[] }): JSX.Element | null {
  if (badges.length === 0) return null
  return (
    <span class="badges flow">
      {badges.map(({ kind, label, title }) => (
        <span key={kind} class={`badge ${kind}`} title={title}>
          {kind === 'unused' ? <span class="offscreen">{label}</span> : label}
        </span>
      ))}
    </span>
  )
}
