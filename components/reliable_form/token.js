// The token of a form, signed by the provider when the form opens: it shows how long the visitor took. It is stored in the form's draft.
import { requestToken } from "$/components/reliable_form/provider_call";
import { sleep } from "$/components/reliable_form/sleep";

const MAX_AGE_MS = 6 * 24 * 3600 * 1000; // older tokens are renewed before they are sent
const RENEWAL_PATIENCE_MS = 2000;

/** @typedef {import("./submission.js").Delivery} Delivery */

/** The token of one form. */
export class FormToken {
  /** `draft` returns the current draft, because typing replaces it. */
  constructor(draft) {
    this.draft = draft;
  }

  /**
   * Requests the token once, or takes it from a restored draft. A failed request is repeated at the next opening, or when the form is sent.
   * @param {Delivery} delivery
   */
  async load(delivery) {
    const { token: stored, takesAttribution: stores } = this.draft();
    this.request ??= stored ? Promise.resolve({ token: stored, takesAttribution: stores }) : requestToken(delivery);
    const { token, takesAttribution } = await this.request;
    const draft = this.draft();
    Object.assign(draft, { token, takesAttribution, opened: draft.opened ?? Date.now() });
    if (!token) {
      this.request = undefined;
    }
  }

  get isOld() {
    return Date.now() - this.draft().opened > MAX_AGE_MS;
  }

  /** @param {Delivery} delivery */
  async renew(delivery) {
    const renewed = await Promise.race([requestToken(delivery), sleep(RENEWAL_PATIENCE_MS)]);
    if (renewed?.token) {
      Object.assign(this.draft(), { ...renewed, opened: Date.now() });
    }
  }

  forget() {
    this.request = undefined;
  }
}
