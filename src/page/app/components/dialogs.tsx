import type { JSX } from 'preact'
import type { Dispatch, StateUpdater } from 'preact/hooks'
import type { View } from '../route.ts'
import { useKeys } from '../use-keys.ts'
import { useRouter } from '../use-route.ts'
import { Palette } from './palette.tsx'
import { Shortcuts } from './shortcuts.tsx'

/** The dialog that is open. */
export type OpenDialog = 'palette' | 'shortcuts' | undefined

/** The palette and the list of shortcuts, and the keys that open them or change the view. */
export function Dialogs({
  open,
  onOpen,
}: {
  readonly open: OpenDialog
  readonly onOpen: Dispatch<StateUpdater<OpenDialog>>
}): JSX.Element | null {
  const { route, go } = useRouter()
  const { place } = route
  const showView = (view: View): void => {
    if (place.kind === 'prompt') go({ ...place, view })
  }
  useKeys({
    'mod+k': () => onOpen('palette'),
    '?': () => onOpen('shortcuts'),
    '1': () => showView('text'),
    '2': () => showView('try'),
    '3': () => showView('compare'),
  })
  // A dialog reports that it is closed later, when the next one may be open already.
  const close = (): void => onOpen((current) => (current === open ? undefined : current))
  if (open === 'palette') {
    return <Palette onClose={close} showShortcuts={() => onOpen('shortcuts')} />
  }
  return open === 'shortcuts' ? <Shortcuts onClose={close} /> : null
}
