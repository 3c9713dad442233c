// canvas_view - what the views that are drawn on canvases share: a layer that stands still, one that moves, sizes that
// follow the window, dragging and zooming.

class CanvasView {
  // `host`: the element that gets the canvases. `look`: what the page's controls say: {colouring, loads, marks,
  // passes(packet), selection}. Subclasses have prepare(), called once; fit(); still() and moving(), which draw.
  constructor(host, recording, clock, look) {
    Object.assign(this, { host, recording, clock, look });
    this.select = () => {};
    this.stillCanvas = this.layer();
    this.movingCanvas = this.layer();
    this.movingCanvas.tabIndex = 0;
    this.pending = false;
    this.stillStale = true;
    this.prepare();
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
    this.listen();
    clock.watch(() => this.redraw());
  }

  layer() {
    const canvas = document.createElement("canvas");
    this.host.append(canvas);
    return canvas;
  }
  resize() {
    this.width = Math.max(50, this.host.clientWidth);
    this.height = Math.max(50, this.host.clientHeight);
    this.density = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.stillCanvas, this.movingCanvas]) {
      canvas.width = Math.round(this.width * this.density);
      canvas.height = Math.round(this.height * this.density);
    }
    this.fit();
  }

  // Draws at the next frame; `all`: also what stands still.
  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.drawNow());
  }
  redrawAll() {
    this.stillStale = true;
    this.redraw();
  }
  drawNow() {
    this.pending = false;
    const begin = performance.now();
    if (this.stillStale) {
      this.stillStale = false;
      this.still(this.cleared(this.stillCanvas));
    }
    this.moving(this.cleared(this.movingCanvas));
    this.lastFrameMilliseconds = performance.now() - begin;
  }
  cleared(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    return context;
  }

  // Subclasses have dragged(dx, dy), zoomed(factor, x, y) and clicked(x, y), in pixels.
  listen() {
    const canvas = this.movingCanvas;
    let from = null;
    let moved = false;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    canvas.addEventListener("pointerdown", (event) => {
      from = place(event);
      moved = false;
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      if (!from) {
        this.pointed(x, y);
        return;
      }
      const [dx, dy] = [x - from[0], y - from[1]];
      if (!moved && Math.hypot(dx, dy) < 4) return;
      moved = true;
      from = [x, y];
      this.dragged(dx, dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      const [x, y] = place(event);
      if (from && !moved) this.clicked(x, y);
      from = null;
    });
    canvas.addEventListener("pointercancel", () => (from = null));
    canvas.addEventListener(
      "wheel",
      (event) => {
        // A wheel alone scrolls the page, as everywhere; with Ctrl, or once the picture has been clicked, it zooms.
        if (!event.ctrlKey && document.activeElement !== canvas) return;
        event.preventDefault();
        this.zoomed(Math.exp(-event.deltaY / 400), ...place(event));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const zoom = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
      if (zoom) this.zoomed(zoom, this.width / 2, this.height / 2);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    });
  }
  pointed() {}
}
