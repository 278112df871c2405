// Runs inside a copy of the page: switches the language, opens a table, and reports to the frame around it what it sees.
window.addEventListener("load", function () {
  setTimeout(function () {
    document.getElementById("language").click();
    const points = document.querySelector("details.points");
    points.open = true;
    setTimeout(function () {
      const roots = Bokeh.documents.flatMap(function (each) { return each.roots(); });
      const drawn = Array.from(document.querySelectorAll(".plot"), function (each) {
        const view = each.firstElementChild;
        const inner = view && view.shadowRoot && view.shadowRoot.querySelector("div");
        return Boolean(inner) && each.getBoundingClientRect().width <= window.innerWidth;
      });
      const sizes = Array.from(document.querySelectorAll("td, th, p, li, dd, summary"), function (each) {
        return parseFloat(getComputedStyle(each).fontSize);
      });
      parent.postMessage(JSON.stringify({
        roots: roots.length,
        figures: drawn.length,
        drawn: drawn.filter(Boolean).length,
        width: document.documentElement.scrollWidth,
        inner: window.innerWidth,
        language: document.documentElement.dataset.lang,
        rows: points.querySelectorAll("tbody tr").length,
        smallest: Math.min.apply(null, sizes),
        body: parseFloat(getComputedStyle(document.body).fontSize),
      }), "*");
    }, 500);
  }, 2500);
});
