/** The SHA-256 of bytes, also where the page came by plain http, which gives a page no Web Crypto. */
import 'js-sha256'; // which is no module, but names itself sha256

/** @param {Uint8Array} bytes @returns {string} in hexadecimal */
export const sha256 = (bytes) => /** @type {any} */ (globalThis).sha256(bytes);
