/** Requests of the page to its server. */

/** A refusal of the server. Its message is for people. */
export class Refused extends Error {}

/**
 * Return the JSON at a path of the server. It rejects with Refused if the server refuses the request.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function get(path) {
  return said(await fetch(path, { cache: "no-cache" }));
}

/**
 * Send JSON to a path of the server, and return the JSON of its answer. It rejects like `get`.
 * @param {string} path
 * @param {Record<string, unknown>} data
 * @returns {Promise<any>}
 */
export async function post(path, data) {
  const headers = { "X-Turnwright": "1", "Content-Type": "application/json" };
  return said(await fetch(path, { method: "POST", headers, body: JSON.stringify(data) }));
}

/**
 * Upload a bot's file, and return the number of the upload. It rejects like `get`.
 * @param {File} file
 * @returns {Promise<{ upload: number }>}
 */
export async function send(file) {
  const headers = { "X-Turnwright": "1", "Content-Type": "application/octet-stream" };
  return said(await fetch(`api/upload?name=${encodeURIComponent(file.name)}`, { method: "POST", headers, body: file }));
}

/**
 * Let the user save a file of the server. It rejects like `get`.
 * @param {string} path
 * @param {string} name of the file
 */
export async function download(path, name) {
  const response = await fetch(path);
  if (!response.ok) throw new Refused((await response.text()).trim().slice(0, 300));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/**
 * @param {Response} response
 * @returns {Promise<any>}
 */
async function said(response) {
  const text = await response.text();
  let data = null;
  try {
    data = JSON.parse(text);
  } catch {
    // A refusal before the ladder server was asked is one line of text.
  }
  if (!response.ok) throw new Refused(String(data?.error ?? (text.trim() || response.status)).slice(0, 300));
  return data;
}
