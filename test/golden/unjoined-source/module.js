// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p14884273633428402752 as "nothing-served",
  p14884273633428402752 as nothingServed,
  p8531891510021142359 as "one-more-variable",
  p8531891510021142359 as oneMoreVariable,
  p7961832484122467194 as "other-white-space",
  p7961832484122467194 as otherWhiteSpace,
  p538727738492703937 as "system-behind",
  p538727738492703937 as systemBehind,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p14884273633428402752 = /* @__PURE__ */ definePrompt("nothing-served", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.", "", "", ""))
export const p8531891510021142359 = /* @__PURE__ */ definePrompt("one-more-variable", "v23", "support", "gpt-5", 0.2, "test", (v, s) => compose("Be kind.", "" + s("{{ ticket }}", v["ticket"], v), "", "Be kind, " + s("{{ name }}", v["name"], v) + ".\n" + s("{{ticket}}", v["ticket"], v)))
export const p7961832484122467194 = /* @__PURE__ */ definePrompt("other-white-space", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("Be kind.\n", "" + s("{{ ticket }}", v["ticket"], v), " \t\n"))
export const p538727738492703937 = /* @__PURE__ */ definePrompt("system-behind", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{ ticket }}", v["ticket"], v)]) => compose("Be kind.", "" + t[0], "", "" + t[0] + "\n\nBe kind."))

// virtual:prompts, where names must be identifiers
import { p14884273633428402752 } from "virtual:prompts/definitions"
import { p8531891510021142359 } from "virtual:prompts/definitions"
import { p7961832484122467194 } from "virtual:prompts/definitions"
import { p538727738492703937 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["nothing-served"]: p14884273633428402752,
  ["nothingServed"]: p14884273633428402752,
  ["one-more-variable"]: p8531891510021142359,
  ["oneMoreVariable"]: p8531891510021142359,
  ["other-white-space"]: p7961832484122467194,
  ["otherWhiteSpace"]: p7961832484122467194,
  ["system-behind"]: p538727738492703937,
  ["systemBehind"]: p538727738492703937,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
