// A chart as PNG: the browser draws the SVG on white, in its light colours.

const SCALE = 2;

/** The PNG of the SVG at an address of this site, as a Blob. */
export async function png(address) {
  const image = new Image(), canvas = document.createElement("canvas"), place = document.createElement("div");
  // The picture has the colour scheme of both, which have one of their own only while they are in the page.
  place.style.cssText = "color-scheme: light; position: fixed; visibility: hidden";
  place.append(image, canvas);
  document.body.append(place);
  try {
    image.src = address;
    await image.decode();
    paint(canvas, image);
  } finally {
    place.remove();
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("this browser makes no PNG"))), "image/png");
  });
}

function paint(canvas, image) {
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
}
