import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { PageState } from '../../protocol.ts'
import type { CommandContext } from '../palette-commands.ts'
import type { Entry } from '../entries.ts'
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
  state,
  entries,
  check,
}: {
  readonly open: OpenDialog
  readonly onOpen: (dialog: OpenDialog) => void
  readonly onClose: (dialog: OpenDialog) => void
  readonly state: PageState
  readonly entries: readonly Entry[]
  readonly check: () => void
}): JSX.Element | null {
  const router = useRouter()
  const { place } = router.route
  const showView = (view: View): void => {
    if (place.kind === 'prompt') router.go({ ...place, view })
  }
  useKeys({
    'mod+k': () => onOpen('palette'),
    '?': () => onOpen('shortcuts'),
    '1': () => showView('text'),
    '2': () => showView('try'),
    '3': () => showView('compare'),
  })
  const context = useMemo(
    (): CommandContext => ({
      state,
      entries,
      router,
      check,
      showShortcuts: () => onOpen('shortcuts'),
    }),
    [state, entries, router],
  )
  if (open === 'palette') return <Palette context={context} onClose={() => onClose('palette')} />
  if (open === 'shortcuts') return <Shortcuts onClose={() => onClose('shortcuts')} />
  return null
}
