/* A "Copy" button on every snippet; without script the text can be selected as ever. */
(function () {
  "use strict";

  function selectAll(code) {
    const range = document.createRange();
    range.selectNodeContents(code);
    const selection = window.getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  }

  async function copy(code) {
    if (navigator.clipboard) {  // only where the page itself is secure
      await navigator.clipboard.writeText(code.textContent);
      return;
    }
    selectAll(code);
    if (!document.execCommand("copy")) {
      throw new Error("copy refused");
    }
  }

  function addButton(snippet) {
    const code = snippet.querySelector("code");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "mcp-copy";
    button.textContent = snippet.dataset.copy;
    button.addEventListener("click", async function () {
      try {
        await copy(code);
        button.textContent = snippet.dataset.copied;
      } catch {
        selectAll(code);
        button.textContent = snippet.dataset.failed;
      }
      window.setTimeout(function () { button.textContent = snippet.dataset.copy; }, 2000);
    });
    snippet.append(button);
  }

  document.querySelectorAll(".mcp-snippet").forEach(addButton);
})();
