import type { JSX } from 'preact'
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
  onClose,
}: {
  readonly open: OpenDialog
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onClose: (dialog: OpenDialog) => void
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
  if (open === 'palette') {
    return <Palette onClose={() => onClose(open)} showShortcuts={() => onOpen('shortcuts')} />
  }
  return open === 'shortcuts' ? <Shortcuts onClose={() => onClose(open)} /> : null
}
