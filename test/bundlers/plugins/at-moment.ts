import { createUnplugin, type UnpluginInstance } from 'unplugin'

/** When something is done in a build. */
export type Moment = 'buildStart' | 'transform' | 'buildEnd' | 'writeBundle'

let waiting: { readonly moment: Moment; readonly action: () => void } | undefined

/** Does something once, at a moment of the next build that has this plugin. */
export function atMoment(moment: Moment, action: () => void): void {
  waiting = { moment, action }
}

function reach(moment: Moment): void {
  if (waiting?.moment !== moment) return
  const { action } = waiting
  waiting = undefined
  action()
}

const plugin: UnpluginInstance<undefined> = createUnplugin(() => ({
  name: 'at-moment',
  buildStart: () => reach('buildStart'),
  transform: {
    filter: { id: /main\.js$/ },
    handler() {
      reach('transform')
      return null
    },
  },
  buildEnd: () => reach('buildEnd'),
  writeBundle: () => reach('writeBundle'),
}))

export default plugin
